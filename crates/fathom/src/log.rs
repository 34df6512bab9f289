//! Logging of phases and their times: `-v` shows phases, `-vv` more detail, and `FATHOM_LOG` is a filter of tracing
//! (`FATHOM_LOG=fathom_certify=debug`). The log goes to standard error, so the verdict stays the last line of standard
//! output. Without these no subscriber is installed, and a span costs one check of a flag.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

const VARIABLE: &str = "FATHOM_LOG";

/// Starts logging, if that was asked for; returns whether it was. Phases are logged when they begin and when they end.
pub fn start(verbosity: u8) -> bool {
    let filter = match (std::env::var(VARIABLE), verbosity) {
        (Ok(wanted), _) if !wanted.is_empty() => EnvFilter::new(wanted),
        (_, 0) => return false,
        (_, 1) => EnvFilter::new("info"),
        (_, 2) => EnvFilter::new("debug"),
        _ => EnvFilter::new("trace"),
    };
    let spans = FmtSpan::NEW | FmtSpan::CLOSE;
    // Fails only if there is a subscriber already.
    let _ =
        tracing_subscriber::fmt().with_env_filter(filter).with_span_events(spans).with_writer(std::io::stderr).with_ansi(false).try_init();
    true
}
