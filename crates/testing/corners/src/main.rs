//! A campaign over semantic corners: `fathom-corners FATHOM [COUNT [SEED [ONLY]]]`, with `--thorough` for all compilers
//! and sanitizers and `--every-engine`. It prints each finding and a summary, and fails if there is news.

use fathom_corners::campaign::{Campaign, Finding};
use std::process::ExitCode;

const USAGE: &str = "usage: fathom-corners FATHOM [COUNT [SEED [ONLY]]] [--thorough] [--every-engine]";

fn main() -> ExitCode {
    let (flags, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let number = |place: usize, otherwise: u64| words.get(place).map_or(Ok(otherwise), |word| word.parse());
    let (Some(fathom), Ok(count), Ok(seed)) = (words.first(), number(1, 500), number(2, 0)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    let campaign = Campaign {
        fathom: fathom.into(),
        seed,
        count,
        thorough: has("--thorough"),
        every_engine: has("--every-engine"),
        only: words.get(3).cloned().unwrap_or_default(),
    };
    let tell = |finding: &Finding| {
        let known = finding.pending.map_or(String::new(), |cause| format!(" [known: {cause}]"));
        println!("{}{known}\n{}\n", finding.title, finding.text);
    };
    match campaign.run(&tell) {
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
        Ok(summary) => {
            println!("{summary}");
            ExitCode::from(u8::from(summary.news().next().is_some()))
        }
    }
}
