//! The state of the server, and what each message of the client does to it.

use crate::actions::{self, OPEN_REPLAY, SHOW_PROOF, VERIFY};
use crate::client::{Abilities, Asked, Client, token};
use crate::documents::{Documents, Kind, kind, path_of};
use crate::programs::Programs;
use crate::run::Finished;
use crate::runs::{Job, Runs};
use crate::settings::{Settings, VerifyOn};
use crate::transport::Incoming;
use gen_lsp_types::{
    CancelParams, CodeActionParams, CodeActionResponse, ConfigurationItem, ConfigurationParams, ConfigurationRequest,
    DidChangeConfigurationParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams, Id, MessageType, ProgressToken, Request as _, Uri,
    WorkDoneProgressBegin, WorkDoneProgressCancelParams, WorkDoneProgressEnd, WorkDoneProgressReport, WorkspaceFolder,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

/// A message from the client, or the end of a run.
pub enum Event {
    /// From the client.
    Client(Incoming),
    /// A run has ended.
    Finished(Finished),
    /// Time has passed.
    Tick,
    /// The client has gone.
    Gone,
}

impl From<Finished> for Event {
    fn from(finished: Finished) -> Self {
        Event::Finished(finished)
    }
}

/// How far the conversation is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Before `initialize`.
    New,
    Working,
    /// After `shutdown`.
    ShutDown,
}

/// The server.
pub struct Server {
    client: Client,
    events: Sender<Event>,
    phase: Phase,
    settings: Settings,
    folders: Vec<PathBuf>,
    documents: Documents,
    programs: Programs,
    runs: Runs,
    /// Reports and tests of the runs; removed at the end.
    scratch: Option<tempfile::TempDir>,
}

impl Server {
    /// A server that runs this executable and writes to `output`.
    pub fn new(fathom: PathBuf, events: Sender<Event>, output: Box<dyn io::Write>) -> io::Result<Self> {
        let scratch = tempfile::Builder::new().prefix("fathom-lsp-").tempdir()?;
        Ok(Self {
            client: Client::new(output),
            events,
            phase: Phase::New,
            settings: Settings::default(),
            folders: Vec::new(),
            documents: Documents::default(),
            programs: Programs::new(scratch.path()),
            runs: Runs::new(fathom),
            scratch: Some(scratch),
        })
    }

    /// Handles an event; the exit code if that was the last one.
    pub fn handle(&mut self, event: Event) -> Option<i32> {
        match event {
            Event::Client(Incoming::Message(Message::Request(request))) => self.request(request),
            Event::Client(Incoming::Message(Message::Response(response))) => self.response(response),
            Event::Client(Incoming::Message(Message::Notification(notification))) if notification.method == "exit" => {
                return Some(self.exit_code());
            }
            Event::Client(Incoming::Message(Message::Notification(notification))) => self.notification(notification),
            Event::Client(Incoming::Malformed { id, why }) => self.malformed(id, &why),
            Event::Finished(finished) => self.finished(finished),
            Event::Tick => self.tell_time(),
            Event::Gone => return Some(self.exit_code()),
        }
        self.start_runs();
        self.client.is_gone.then(|| self.exit_code())
    }

    /// Ends everything that the server started.
    pub fn stop(&mut self) {
        self.runs.stop();
        if let Some(error) = self.scratch.take().and_then(|scratch| scratch.close().err()) {
            tracing::info!("temporary files stay behind: {error}");
        }
    }

    fn exit_code(&self) -> i32 {
        i32::from(self.phase != Phase::ShutDown)
    }

    fn malformed(&mut self, id: Option<RequestId>, why: &str) {
        match id {
            Some(id) => self.client.refuse(id, ErrorCode::InvalidRequest, why),
            None => self.client.log(MessageType::Warning, format!("a message was not understood: {why}")),
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => self.initialize(id, &params),
            (Phase::New, _) => self.client.refuse(id, ErrorCode::ServerNotInitialized, "initialize comes first"),
            (Phase::ShutDown, _) => self.client.refuse(id, ErrorCode::InvalidRequest, "the server was shut down"),
            (Phase::Working, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.give_up(|_, _| true);
                self.client.answer(id, ());
            }
            (Phase::Working, "initialize") => self.client.refuse(id, ErrorCode::InvalidRequest, "the server was initialized already"),
            (Phase::Working, "textDocument/codeAction") => self.code_action(id, params),
            (Phase::Working, "workspace/executeCommand") => self.execute(id, params),
            (Phase::Working, _) => self.client.refuse(id, ErrorCode::MethodNotFound, format!("{method} is not supported")),
        }
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if self.phase != Phase::Working {
            return;
        }
        match method.as_str() {
            "textDocument/didOpen" => self.with(&method, params, Self::opened),
            "textDocument/didSave" => self.with(&method, params, Self::saved),
            "textDocument/didClose" => self.with(&method, params, Self::closed),
            "workspace/didChangeConfiguration" => self.with(&method, params, Self::configuration_changed),
            "workspace/didChangeWorkspaceFolders" => self.with(&method, params, Self::folders_changed),
            "workspace/didChangeWatchedFiles" => self.with(&method, params, Self::files_changed),
            "window/workDoneProgress/cancel" => self.with(&method, params, Self::progress_cancelled),
            "$/cancelRequest" => self.with(&method, params, Self::request_cancelled),
            // `initialized`, what is optional (`$/...`) and what was not asked for.
            _ => {}
        }
    }

    /// Hands on the parameters of a notification, if they are what they should be.
    fn with<P: DeserializeOwned>(&mut self, method: &str, params: Value, then: fn(&mut Self, P)) {
        match serde_json::from_value(params) {
            Ok(params) => then(self, params),
            Err(error) => self.client.log(MessageType::Warning, format!("{method}: {error}")),
        }
    }

    fn initialize(&mut self, id: RequestId, params: &Value) {
        self.phase = Phase::Working;
        self.client.abilities = Abilities::of(params);
        let folders: Vec<WorkspaceFolder> = read_or_default(params.get("workspaceFolders"));
        let root: Option<Uri> = read_or_default(params.get("rootUri"));
        self.folders = folders.iter().map(|folder| &folder.uri).chain(root.as_ref()).filter_map(path_of).collect();
        self.client.answer(
            id,
            json!({
                "capabilities": {
                    "positionEncoding": "utf-16",
                    "textDocumentSync": { "openClose": true, "change": 0, "save": true },
                    "codeActionProvider": { "codeActionKinds": ["quickfix", "source"] },
                    "executeCommandProvider": { "commands": [VERIFY, OPEN_REPLAY, SHOW_PROOF] },
                    "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
                },
                "serverInfo": { "name": "fathom", "version": env!("CARGO_PKG_VERSION") },
            }),
        );
        self.set(params.get("initializationOptions").unwrap_or(&Value::Null));
    }

    /// Applies new settings; if they are wrong, the client gets a message and the old ones stay.
    fn set(&mut self, settings: &Value) {
        match Settings::read(settings) {
            Ok(settings) => self.settings = settings,
            Err(why) => self.client.show_message(MessageType::Warning, format!("The settings of Fathom are wrong: {why}")),
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        if let Some(path) = self.documents.open(&params.text_document.uri).filter(|_| self.settings.verify_on == VerifyOn::OpenAndSave) {
            self.verify(&path, false, None);
        }
    }

    fn saved(&mut self, params: DidSaveTextDocumentParams) {
        if let Some(path) = path_of(&params.text_document.uri).filter(|_| self.settings.verify_on != VerifyOn::Command) {
            self.verify(&path, true, None);
            self.verify_users(&path);
        }
    }

    fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let Some(path) = path_of(&params.text_document.uri) else { return };
        if let Some(program) = self.programs.of_document(&path).filter(|_| self.settings.program().is_none()) {
            self.give_up(|job, _| job.program == program);
        }
        let changed = self.programs.forget(&path);
        self.publish(changed);
        self.documents.close(&path);
    }

    fn configuration_changed(&mut self, params: DidChangeConfigurationParams) {
        match params.settings.get("fathom") {
            Some(settings) => {
                self.set(settings);
                self.verify_all();
            }
            None if self.client.abilities.configuration => {
                let items = vec![ConfigurationItem { scope_uri: None, section: Some("fathom".into()) }];
                self.client.ask(ConfigurationRequest::METHOD, ConfigurationParams { items }, Asked::Configuration);
            }
            None => {}
        }
    }

    fn response(&mut self, response: Response) {
        let asked = self.client.answered(response.id);
        // A client that has no such section answers with null; what it said at the beginning stays.
        if let (Some(Asked::Configuration), Ok(answer)) = (asked, response.response_result)
            && let Some(settings) = answer.get(0).filter(|settings| !settings.is_null())
        {
            self.set(settings);
            self.verify_all();
        }
    }

    fn folders_changed(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let removed: Vec<PathBuf> = params.event.removed.iter().filter_map(|folder| path_of(&folder.uri)).collect();
        self.folders.retain(|folder| !removed.contains(folder));
        self.folders.extend(params.event.added.iter().filter_map(|folder| path_of(&folder.uri)));
    }

    /// A project's settings or a header may have been changed elsewhere.
    fn files_changed(&mut self, params: DidChangeWatchedFilesParams) {
        let paths: Vec<PathBuf> = params.changes.iter().filter_map(|change| path_of(&change.uri)).collect();
        if paths.iter().any(|path| path.file_name().is_some_and(|name| name == "fathom.toml")) {
            return self.verify_all();
        }
        paths.iter().for_each(|path| self.verify_users(path));
    }

    fn progress_cancelled(&mut self, params: WorkDoneProgressCancelParams) {
        let ProgressToken::String(name) = params.token else { return };
        self.give_up(|_, run| run.is_some_and(|number| token(number) == name));
    }

    /// Whoever asks no more does not wait any more; a run that was asked for only by them ends.
    fn request_cancelled(&mut self, params: CancelParams) {
        let id: RequestId = match params.id {
            Id::Int(id) => id.into(),
            Id::String(id) => id.into(),
        };
        self.give_up(|job, _| job.asked_by == [id.clone()]);
    }

    /// Verifies all open documents anew, unless only the command does that.
    fn verify_all(&mut self) {
        if self.settings.verify_on != VerifyOn::Command {
            self.documents.paths().iter().for_each(|path| self.verify(path, false, None));
        }
    }

    /// Verifies the programs anew that have something to say about this file.
    fn verify_users(&mut self, path: &Path) {
        if self.settings.verify_on != VerifyOn::Command {
            self.programs.with_findings_in(path).iter().for_each(|document| self.verify(document, false, None));
        }
    }

    /// Verifies the program of a document; if a request asked for it, it is answered at the end.
    fn verify(&mut self, path: &Path, is_urgent: bool, asked_by: Option<RequestId>) {
        let parent = path.parent().unwrap_or(Path::new("/"));
        let folder = self.folders.iter().filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len());
        let directory = folder.map_or(parent, PathBuf::as_path).to_path_buf();
        let is_part = self.settings.program().is_some() && kind(path) != Kind::Other;
        let program = self.programs.number(if is_part { &directory } else { path }, path, &directory);
        let is_empty = || std::fs::read(path).is_ok_and(|text| text.iter().all(u8::is_ascii_whitespace));
        let nothing = match kind(path) {
            _ if is_part => None,
            Kind::Header => Some("a header is no program"),
            Kind::Other => Some("this kind of file can't be verified"),
            Kind::Program if is_empty() => Some("the file is empty"),
            Kind::Program => None,
        };
        if let Some(why) = nothing {
            let changed = if kind(path) == Kind::Header { self.programs.is_header(program) } else { self.programs.forget(path) };
            self.publish(changed);
            asked_by.into_iter().for_each(|id| self.client.refuse(id, ErrorCode::RequestFailed, why));
            return;
        }
        let arguments = self.settings.arguments(path, &self.programs.out(program));
        let title = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.runs.ask(Job { program, arguments, directory, title, asked_by: asked_by.into_iter().collect() }, is_urgent);
    }

    /// Starts jobs that wait, if fewer than the maximum run.
    fn start_runs(&mut self) {
        if self.phase == Phase::Working {
            for active in self.runs.start_next(&self.events) {
                let title = format!("Fathom: {}", active.job.title);
                let begin = WorkDoneProgressBegin { title, cancellable: Some(true), message: None, percentage: None };
                self.client.begin_progress(active.run.number, begin);
            }
        }
    }

    fn tell_time(&mut self) {
        for active in self.runs.going_on() {
            let message = Some(format!("{} s", active.start.elapsed().as_secs()));
            let report = WorkDoneProgressReport { cancellable: Some(true), message, percentage: None };
            self.client.progress(active.run.number, report);
        }
    }

    fn finished(&mut self, finished: Finished) {
        let Some(done) = self.runs.finished(finished) else { return };
        let verdict = match &done.outcome {
            None => "cancelled",
            Some(Ok(report)) => &report.verdict,
            Some(Err(why)) => why,
        };
        let verdict = verdict.to_string();
        self.client.progress(done.number, WorkDoneProgressEnd { message: Some(verdict.clone()) });
        match done.outcome {
            None => self.tell_cancelled([done.job]),
            Some(outcome) => {
                let changed = self.programs.ended(done.job.program, outcome);
                self.publish(changed);
                done.job.asked_by.into_iter().for_each(|id| self.client.answer(id, json!({ "verdict": verdict })));
            }
        }
    }

    /// Cancels the runs that `is_meant` accepts.
    fn give_up(&mut self, is_meant: impl FnMut(&Job, Option<u64>) -> bool) {
        let gone = self.runs.cancel(is_meant);
        self.tell_cancelled(gone);
    }

    fn tell_cancelled(&mut self, jobs: impl IntoIterator<Item = Job>) {
        for id in jobs.into_iter().flat_map(|job| job.asked_by) {
            self.client.refuse(id, ErrorCode::RequestCanceled, "the run was cancelled");
        }
    }

    /// Tells the client what is said about these files now.
    fn publish(&mut self, files: BTreeSet<PathBuf>) {
        for file in files {
            self.client.publish(self.documents.uri(&file), self.programs.diagnostics(&file));
        }
    }

    fn code_action(&mut self, id: RequestId, params: Value) {
        match serde_json::from_value::<CodeActionParams>(params) {
            Ok(params) => {
                let path = path_of(&params.text_document.uri);
                let actions = path.map(|path| actions::of_range(&params, &path, &self.programs)).unwrap_or_default();
                self.client.answer(id, actions.into_iter().map(CodeActionResponse::from).collect::<Vec<_>>());
            }
            Err(error) => self.client.refuse(id, ErrorCode::InvalidParams, error.to_string()),
        }
    }

    fn execute(&mut self, id: RequestId, params: Value) {
        let params: ExecuteCommandParams = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => return self.client.refuse(id, ErrorCode::InvalidParams, error.to_string()),
        };
        let argument = params.arguments.as_ref().and_then(|arguments| arguments.first());
        let program = || actions::program_of(argument, &self.programs);
        let shown = match params.command.as_str() {
            VERIFY => {
                return match actions::document_of(argument).and_then(|uri| path_of(&uri)) {
                    Some(path) => self.verify(&path, true, Some(id)),
                    None => self.client.refuse(id, ErrorCode::InvalidParams, "the command needs the URI of a file"),
                };
            }
            OPEN_REPLAY => program().and_then(|program| actions::write_replay(program, argument, &self.programs)),
            SHOW_PROOF => program().and_then(|program| actions::report(program, &self.programs)),
            other => return self.client.refuse(id, ErrorCode::InvalidParams, format!("{other}: no such command")),
        };
        match shown {
            Ok(uri) => {
                self.client.answer(id, json!({ "uri": uri }));
                self.client.show_document(uri);
            }
            Err(why) => self.client.refuse(id, ErrorCode::RequestFailed, why),
        }
    }
}

fn read_or_default<T: DeserializeOwned + Default>(value: Option<&Value>) -> T {
    value.and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
}
