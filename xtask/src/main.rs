//! Tasks about the repository itself, run as `cargo xtask TASK` (an alias in .cargo/config.toml):
//!
//! - `diagram` draws the crates and their dependencies into ARCHITECTURE.md; `diagram --check` fails if that is out of date;
//! - `layout` checks what the layout promises: who may depend on whom, that dependencies are used, how long files and functions are, and
//!   that the seeded faults of scripts/mutants.toml fit the code.
//!
//! These checks are tests of this crate as well, so `cargo test` runs them.

mod diagram;
mod layout;
mod lengths;
mod mutants;
mod unused;
mod workspace;

use std::process::ExitCode;
use workspace::Workspace;

const USAGE: &str = "usage: cargo xtask diagram [--check] | cargo xtask layout";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = Workspace::load().and_then(|workspace| match words.as_slice() {
        ["diagram"] => diagram::write(&workspace),
        ["diagram", "--check"] => diagram::check(&workspace),
        ["layout"] => mutants::check(&workspace).and_then(|()| layout::check(&workspace)).map(|summary| println!("{summary}")),
        _ => Err(USAGE.into()),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagram_is_up_to_date() {
        diagram::check(&Workspace::load().unwrap()).unwrap();
    }

    #[test]
    fn the_layout_is_kept() {
        layout::check(&Workspace::load().unwrap()).unwrap();
    }

    #[test]
    fn the_seeded_faults_fit_the_code() {
        mutants::check(&Workspace::load().unwrap()).unwrap();
    }
}
