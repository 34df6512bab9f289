//! The client: its capabilities, and the messages that are sent to it.

use crate::transport;
use gen_lsp_types::{
    Diagnostic, LogMessageNotification, LogMessageParams, MessageType, Notification as _, ProgressNotification, ProgressParams,
    PublishDiagnosticsNotification, PublishDiagnosticsParams, Request as _, ShowDocumentParams, ShowDocumentRequest,
    ShowMessageNotification, ShowMessageParams, Uri, WorkDoneProgressCreateParams, WorkDoneProgressCreateRequest,
};
use lsp_server::{ErrorCode, Message, Notification, ReqQueue, Request, RequestId, Response};
use serde::Serialize;
use serde_json::Value;
use std::io::Write;

/// What a request to the client was for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Its settings.
    Configuration,
    /// Something whose answer changes nothing.
    Other,
}

/// The client's capabilities.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// It shows progress that the server begins.
    pub progress: bool,
    /// It opens documents.
    pub show_document: bool,
    /// It can be asked for settings.
    pub configuration: bool,
}

impl Abilities {
    /// Looks for what matters in the parameters of `initialize`. They are not read as a whole, so that no part of them that is
    /// of no interest here can be wrong.
    pub fn of(initialize: &Value) -> Self {
        let has = |pointer: &str| initialize.pointer(pointer).and_then(Value::as_bool) == Some(true);
        Self {
            progress: has("/capabilities/window/workDoneProgress"),
            show_document: has("/capabilities/window/showDocument/support"),
            configuration: has("/capabilities/workspace/configuration"),
        }
    }
}

/// The client.
pub struct Client {
    output: Box<dyn Write>,
    requests: ReqQueue<(), Asked>,
    /// What it can do.
    pub abilities: Abilities,
    /// Whether something could not be sent.
    pub is_gone: bool,
}

impl Client {
    /// A client that reads from this stream.
    pub fn new(output: Box<dyn Write>) -> Self {
        Self { output, requests: ReqQueue::default(), abilities: Abilities::default(), is_gone: false }
    }

    fn send(&mut self, message: Message) {
        if let Err(error) = transport::write(&message, &mut *self.output) {
            tracing::info!("the client is gone: {error}");
            self.is_gone = true;
        }
    }

    fn notify(&mut self, method: impl ToString, params: impl Serialize) {
        self.send(Notification::new(method.to_string(), params).into());
    }

    /// Asks the client something.
    pub fn ask(&mut self, method: impl ToString, params: impl Serialize, what: Asked) {
        let request: Request = self.requests.outgoing.register(method.to_string(), params, what);
        self.send(request.into());
    }

    /// What the client answers to, if anything.
    pub fn answered(&mut self, id: RequestId) -> Option<Asked> {
        self.requests.outgoing.complete(id)
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: RequestId, result: impl Serialize) {
        self.send(Response::new_ok(id, result).into());
    }

    /// Answers a request with an error.
    pub fn refuse(&mut self, id: RequestId, code: ErrorCode, why: impl Into<String>) {
        self.send(Response::new_err(id, code as i32, why.into()).into());
    }

    /// The diagnostics of a document, in place of all that it had.
    pub fn publish(&mut self, uri: Uri, diagnostics: Vec<Diagnostic>) {
        self.notify(PublishDiagnosticsNotification::METHOD, PublishDiagnosticsParams { uri, version: None, diagnostics });
    }

    /// A message that people see.
    pub fn show_message(&mut self, kind: MessageType, message: impl Into<String>) {
        self.notify(ShowMessageNotification::METHOD, ShowMessageParams { kind, message: message.into() });
    }

    /// A message for the log.
    pub fn log(&mut self, kind: MessageType, message: impl Into<String>) {
        self.notify(LogMessageNotification::METHOD, LogMessageParams { kind, message: message.into() });
    }

    /// Opens a document in the editor, or says where it is.
    pub fn show_document(&mut self, uri: Uri) {
        if self.abilities.show_document {
            let params = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
            self.ask(ShowDocumentRequest::METHOD, params, Asked::Other);
        } else {
            self.show_message(MessageType::Info, uri.0);
        }
    }

    /// Announces work, which later messages name by this number.
    pub fn begin_progress(&mut self, number: u64, value: impl Serialize) {
        if self.abilities.progress {
            let params = WorkDoneProgressCreateParams { token: token(number).into() };
            self.ask(WorkDoneProgressCreateRequest::METHOD, params, Asked::Other);
            self.progress(number, value);
        }
    }

    /// Reports the progress of a run, or its end.
    pub fn progress(&mut self, number: u64, value: impl Serialize) {
        if self.abilities.progress {
            let value = serde_json::to_value(value).unwrap_or_default();
            self.notify(ProgressNotification::METHOD, ProgressParams { token: token(number).into(), value });
        }
    }
}

/// The progress token of a number.
pub fn token(number: u64) -> String {
    format!("fathom-{number}")
}
