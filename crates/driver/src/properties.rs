//! What the user wants decided: names, groups of names, or a property file of the software verification competition,
//! which holds lines such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use fathom_ir::Property;
use std::collections::BTreeSet;
use std::path::Path;

/// Properties and, from a property file, the function where the program starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub properties: BTreeSet<Property>,
    pub entry: Option<String>,
    /// Those that nobody named: nothing is said of them in programs without such a check.
    pub implied: BTreeSet<Property>,
}

const MEMSAFETY: [Property; 3] = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];

/// Everything on `--property` and `--check` together; without either, the properties that a C programmer writes down.
pub(crate) fn wanted(properties: &[String], checks: &[Property]) -> Result<Wanted, String> {
    let mut wanted = Wanted::default();
    for text in properties {
        let one = parse(text)?;
        wanted.properties.extend(one.properties);
        wanted.entry = wanted.entry.or(one.entry);
    }
    wanted.properties.extend(checks);
    if wanted.properties.is_empty() {
        wanted.properties = BTreeSet::from([Property::UnreachCall, Property::Assertion]);
    }
    wanted.implied = implied(&wanted.properties);
    wanted.properties.extend(&wanted.implied);
    Ok(wanted)
}

/// Who asks about undefined behaviour wants to hear of a way to `__builtin_unreachable()`, which may do anything; and an
/// array of negative length has no valid access.
fn implied(properties: &BTreeSet<Property>) -> BTreeSet<Property> {
    let asks = |property: &Property| properties.contains(property);
    let unreachable = properties.iter().any(|property| property.is_undefined_behaviour()).then_some(Property::Unreachable);
    let vla_bound = (asks(&Property::ValidDeref) || asks(&Property::Bounds)).then_some(Property::VlaBound);
    unreachable.into_iter().chain(vla_bound).filter(|property| !asks(property)).collect()
}

/// An error for a property of another language.
pub(crate) fn fit_language(properties: &BTreeSet<Property>, is_boogie: bool) -> Result<(), String> {
    let of_boogie = |property: Property| property == Property::BoogieAssert;
    match properties.iter().find(|&&property| of_boogie(property) != is_boogie) {
        None => Ok(()),
        Some(property) if is_boogie => Err(format!("{property} is a property of C programs; Boogie programs have boogie-assert only")),
        Some(property) => Err(format!("{property} is a property of Boogie programs, and this is none; see --help for those of C")),
    }
}

fn parse(text: &str) -> Result<Wanted, String> {
    if Path::new(text).extension().is_some_and(|e| e.eq_ignore_ascii_case("prp")) || Path::new(text).is_file() {
        let content = std::fs::read_to_string(text).map_err(|error| format!("the property file {text} can't be read: {error}"))?;
        return property_file(&content).map_err(|error| format!("{text}: {error}"));
    }
    let properties = match text {
        "valid-memsafety" | "memsafety" => MEMSAFETY.into(),
        _ => BTreeSet::from([text.parse::<Property>().map_err(|e| format!("{e}, valid-memsafety, or a .prp file"))?]),
    };
    Ok(Wanted { properties, ..Wanted::default() })
}

fn property_file(content: &str) -> Result<Wanted, String> {
    let mut wanted = Wanted::default();
    for (index, line) in content.lines().enumerate() {
        let line = line.split("//").next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let problem = |what: &str| format!("line {}: {what}: `{line}`", index + 1);
        let (entry, formula) = check_line(&compact).ok_or_else(|| problem("not of the form CHECK( init(f()), LTL(...) )"))?;
        wanted.entry.get_or_insert(entry);
        wanted.properties.extend(formula_properties(&formula).ok_or_else(|| problem("a property that Fathom does not know"))?);
    }
    if wanted.properties.is_empty() {
        return Err("there is no CHECK line in it".into());
    }
    Ok(wanted)
}

/// Entry function and formula of a line without blanks.
fn check_line(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix("CHECK(")?.strip_suffix(')')?;
    let inner = inner.strip_prefix("init(")?;
    let (entry, rest) = inner.split_once("()),")?;
    let formula = rest.strip_prefix("LTL(")?.strip_suffix(')')?;
    let name = !entry.is_empty() && entry.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    name.then(|| (entry.to_string(), formula.to_string()))
}

fn formula_properties(formula: &str) -> Option<BTreeSet<Property>> {
    if formula == "Fend" {
        return Some(BTreeSet::from([Property::Termination]));
    }
    let body = formula.strip_prefix('G')?;
    match body {
        "!call(__VERIFIER_error())" | "!call(reach_error())" => Some(BTreeSet::from([Property::UnreachCall])),
        "!overflow" => Some(BTreeSet::from([Property::NoOverflow])),
        "assert" => Some(BTreeSet::from([Property::Assertion])),
        "valid-memsafety" => Some(MEMSAFETY.into()),
        name => name.parse().ok().map(|property| BTreeSet::from([property])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_groups() {
        let got = wanted(&["valid-memsafety".into(), "no-overflow".into()], &[Property::Shift]).unwrap();
        let expected = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack, Property::NoOverflow, Property::Shift];
        let implied = [Property::VlaBound, Property::Unreachable];
        assert_eq!(got.properties, expected.into_iter().chain(implied).collect());
        assert_eq!(wanted(&[], &[]).unwrap().properties, BTreeSet::from([Property::UnreachCall, Property::Assertion]));
        assert!(wanted(&["no-such".into()], &[]).unwrap_err().contains("unreach-call"));
        assert!(wanted(&["missing.prp".into()], &[]).unwrap_err().contains("missing.prp"));
    }

    #[test]
    fn languages_have_properties_of_their_own() {
        let [c, boogie] = [Property::UnreachCall, Property::BoogieAssert].map(|property| BTreeSet::from([property]));
        assert!(fit_language(&c, false).is_ok() && fit_language(&boogie, true).is_ok());
        assert!(fit_language(&boogie, false).unwrap_err().contains("boogie-assert"));
        assert!(fit_language(&c, true).unwrap_err().contains("unreach-call"));
    }

    #[test]
    fn property_files() {
        let got = property_file("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n\n").unwrap();
        assert_eq!(
            got,
            Wanted { properties: BTreeSet::from([Property::UnreachCall]), entry: Some("main".into()), implied: BTreeSet::new() }
        );
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(property_file(memory).unwrap().properties, BTreeSet::from(MEMSAFETY));
        let overflow = property_file("CHECK( init(start()), LTL(G ! overflow) )").unwrap();
        assert_eq!((overflow.entry.as_deref(), overflow.properties.len()), (Some("start"), 1));
        let termination = property_file("CHECK( init(main()), LTL(F end) )").unwrap();
        assert_eq!(termination.properties, BTreeSet::from([Property::Termination]));
        for bad in ["", "CHECK( init(main()), LTL(F start) )", "G valid-free", "CHECK(", "CHECK( init(), LTL(G x) )"] {
            assert!(property_file(bad).is_err(), "{bad}");
        }
    }
}
