//! LLVM's own tools for profiles and coverage.

use std::process::Command;

/// Runs one of LLVM's tools, of version 19 if it is there.
pub fn tool(name: &str, arguments: impl Fn(&mut Command) -> &mut Command) -> Result<String, String> {
    for program in [format!("{name}-19"), name.to_string()] {
        let mut command = Command::new(&program);
        arguments(&mut command);
        let output = match command.output() {
            Ok(output) => output,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("{program} could not be started: {error}")),
        };
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{program} failed: {}", said.lines().next().unwrap_or("without a message")));
        }
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{name} was not found; install LLVM 19 (Debian and Ubuntu: `apt install llvm-19`)"))
}
