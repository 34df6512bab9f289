//! Semantic corners (`crates/testing/corners`): small programs whose truth compilers and sanitizers tell, against every engine in
//! turn. `FATHOM_CORNERS=20000` makes a campaign of so many, with all ways of compiling; `FATHOM_CORNERS_SEED` names
//! another one. Wrong answers, faults and templates that the machine contradicts fail, but for the classes in
//! `crates/testing/corners/src/pending.rs`; `unknown` is counted.

use fathom_corners::campaign::Campaign;

/// A number from the environment.
fn wanted(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text}: a number")))
}

#[test]
fn corners_agree_with_the_machine() {
    let campaign = Campaign {
        fathom: env!("CARGO_BIN_EXE_fathom").into(),
        seed: wanted("FATHOM_CORNERS_SEED").unwrap_or(0),
        count: wanted("FATHOM_CORNERS").unwrap_or(500),
        thorough: wanted("FATHOM_CORNERS").is_some(),
        every_engine: false,
        only: String::new(),
    };
    let summary = campaign.run(&|_| ()).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("{summary}");
    let news: Vec<String> = summary.news().map(|finding| format!("{}\n{}", finding.title, finding.text)).collect();
    assert!(news.is_empty(), "{}", news.join("\n\n"));
    assert!(summary.right >= campaign.count / 2, "only {} of {} corners were decided", summary.right, campaign.count);
}
