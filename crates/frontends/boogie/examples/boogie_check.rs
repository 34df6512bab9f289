//! Reads each file given and says whether it is accepted, with the time: `boogie_check [--show] FILE...`.

use fathom_frontend_boogie::{InputError, check, monomorphise, parse, parse_texts, print, same, show_all, validate};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let (flags, files): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let show = flags.iter().any(|f| f == "--show");
    for file in files {
        if flags.iter().any(|f| f == "--print") {
            print_and_read(&file, show);
        }
        let start = Instant::now();
        let strict = flags.iter().any(|f| f == "--strict");
        let answer = parse(&[PathBuf::from(&file)])
            .and_then(|program| check(program, strict).map_err(|rejected| InputError::Rejected(Box::new(rejected))));
        let time = start.elapsed().as_secs_f64();
        match answer {
            Ok(program) if program.unsupported.is_empty() => {
                let validating = flags.iter().any(|f| f == "--validate");
                if validating && let Err(what) = validate(&program, false) {
                    println!("BROKEN {file}: {what}");
                }
                let sources = program.sources.clone();
                match flags.iter().any(|f| f == "--mono").then(|| monomorphise(program)) {
                    Some(Err(unsupported)) => {
                        let (line, column) = sources.line_column(unsupported.span);
                        println!("polymorphic {time:.3} {file}:{line}:{column}: {unsupported}");
                    }
                    Some(Ok(mono)) => {
                        println!("ok {:.3} {file}", start.elapsed().as_secs_f64());
                        if validating && let Err(what) = validate(&mono, true) {
                            println!("BROKEN {file}: {what}");
                        }
                    }
                    None => println!("ok {time:.3} {file}"),
                }
            }
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

/// Says if the printed program doesn't read back as the same.
fn print_and_read(file: &str, show: bool) {
    let Ok(program) = parse(&[PathBuf::from(file)]) else { return };
    let text = print(&program);
    let answer = match parse_texts([(Path::new("printed.bpl"), text.clone())]) {
        Ok(again) if same(&program, &again) => return,
        Ok(_) => "another program".to_string(),
        Err(rejected) => show_all(&rejected.diagnostics[..1], &rejected.sources),
    };
    println!("PRINTED {file}: {answer}");
    if show {
        println!("{text}");
    }
}
