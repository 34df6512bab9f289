//! The language server, `fathom lsp`: verifies C and Boogie files as they are opened and saved, and shows the results
//! in the editor. It speaks the Language Server Protocol 3.17 on standard input and output. It verifies nothing itself:
//! each run is a `fathom verify` process, whose JSON report becomes diagnostics. One thread owns the state and receives
//! all events; another reads the client's messages, and one waits for each run.

mod actions;
mod client;
mod compiler;
mod diagnostics;
mod documents;
mod positions;
mod programs;
mod run;
mod runs;
mod server;
mod settings;
mod trace;
mod transport;

use server::{Event, Server};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often the client hears how long a run has taken.
const TICK: Duration = Duration::from_secs(1);

/// Serves the client at the other end of standard input and output until it is gone; the exit code. Runs are made with this
/// executable.
pub fn serve(fathom: PathBuf) -> io::Result<i32> {
    let (events, inbox) = channel();
    let from_client = events.clone();
    std::thread::spawn(move || listen(&from_client));
    let from_system = events.clone();
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP])?;
    // A signal that ends the server ends the runs that it started, too.
    std::thread::spawn(move || signals.forever().try_for_each(|_| from_system.send(Event::Gone)));
    let mut server = Server::new(fathom, events, Box::new(io::stdout()))?;
    loop {
        let event = match inbox.recv_timeout(TICK) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => Event::Tick,
            Err(RecvTimeoutError::Disconnected) => Event::Gone,
        };
        if let Some(code) = server.handle(event) {
            server.stop();
            return Ok(code);
        }
    }
}

/// Hands on what the client says, until it says no more.
fn listen(events: &Sender<Event>) {
    let mut input = BufReader::new(io::stdin());
    while let Ok(Some(incoming)) = transport::read(&mut input) {
        if events.send(Event::Client(incoming)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::Gone);
}
