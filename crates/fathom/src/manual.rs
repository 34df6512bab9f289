//! Shell completions and man pages, generated from the definition of the arguments.

use crate::args::Cli;
use clap::CommandFactory;
use std::path::Path;

/// A script that completes command lines in a shell.
pub fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fathom", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes a page for Fathom and one for each of its commands; what was written, or why not.
pub fn write_pages(directory: &Path) -> Result<String, String> {
    std::fs::create_dir_all(directory).map_err(|error| format!("{} can't be made: {error}", directory.display()))?;
    clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), directory)
        .map_err(|error| format!("man pages can't be written into {}: {error}", directory.display()))?;
    Ok(format!("man pages are in {}; `man {}` shows the first\n", directory.display(), directory.join("fathom.1").display()))
}
