//! Reads each file given and says whether it is accepted, with the time: `boogie_check [--show] FILE...`.

use fathom_frontend_boogie::{InputError, check};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let (flags, files): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let show = flags.iter().any(|f| f == "--show");
    for file in files {
        let start = Instant::now();
        let strict = flags.iter().any(|f| f == "--strict");
        let answer = fathom_frontend_boogie::parse(&[PathBuf::from(&file)])
            .and_then(|program| check(program, strict).map_err(|rejected| InputError::Rejected(Box::new(rejected))));
        let time = start.elapsed().as_secs_f64();
        match answer {
            Ok(program) if program.unsupported.is_empty() => println!("ok {time:.3} {file}"),
            Ok(_) => println!("unsupported {time:.3} {file}"),
            Err(error) => {
                println!("rejected {time:.3} {file}");
                if show {
                    print!("{error}");
                }
            }
        }
    }
}
