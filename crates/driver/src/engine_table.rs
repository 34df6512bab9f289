//! The table of engines in docs/engines.md, generated from the engines' capabilities; the test below keeps it up to
//! date.

use crate::config::{InputConfig, VerifyConfig};
use crate::engines;
use fathom_engine::{Capabilities, Language};
use fathom_ir::Property;
use std::fmt::Write;

/// What every engine can do, as a table in Markdown.
pub fn engine_table() -> String {
    let config = VerifyConfig::new(InputConfig::default());
    let mut table = String::from(
        "| engine | what it is | proves | refutes | properties | threads | languages |\n| --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for engine in engines::all(&config) {
        let can = engine.capabilities();
        let languages: Vec<&str> = can.languages.iter().map(|language| language.name()).collect();
        let (proves, refutes, threads) = (word(can.proves), word(can.refutes), word(can.threads));
        let _ = writeln!(
            table,
            "| `{}` | {} | {proves} | {refutes} | {} | {threads} | {} |",
            engine.name(),
            can.about,
            properties(&can),
            languages.join(", "),
        );
    }
    table
}

fn word(yes: bool) -> &'static str {
    if yes { "yes" } else { "-" }
}

/// The properties that it decides, or those that it doesn't, whichever are fewer; of those that its languages have.
fn properties(can: &Capabilities) -> String {
    let in_its_languages =
        |property: &Property| can.languages.iter().any(|language| (*property == Property::BoogieAssert) == (*language == Language::Boogie));
    let (decided, others): (Vec<Property>, Vec<Property>) =
        Property::ALL.into_iter().filter(in_its_languages).partition(|&property| (can.decides)(property));
    let names = |properties: &[Property]| properties.iter().map(|property| property.name()).collect::<Vec<_>>().join(", ");
    match () {
        () if others.is_empty() => "all".into(),
        () if others.len() < decided.len() => format!("all but {}", names(&others)),
        () => names(&decided),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const BEGIN: &str = "<!-- The table is made by INSTA_UPDATE=always cargo test -p fathom-driver engine_table -->\n";
    const END: &str = "<!-- end of the table -->";

    #[test]
    fn the_docs_say_what_the_engines_say() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/engines.md");
        let text = std::fs::read_to_string(&path).unwrap();
        let (before, rest) = text.split_once(BEGIN).expect("the table's beginning is marked");
        let (table, after) = rest.split_once(END).expect("the table's end is marked");
        if std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") {
            std::fs::write(&path, format!("{before}{BEGIN}{}{END}{after}", engine_table())).unwrap();
            return;
        }
        assert_eq!(table, engine_table(), "INSTA_UPDATE=always writes it anew");
    }
}
