//! What the user wants decided: names, groups of names, or a property file of the software verification competition,
//! which holds lines such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use fathom_base::{did_you_mean, snippet};
use fathom_ir::{Program, Property};
use std::collections::BTreeSet;
use std::path::Path;

/// The properties to decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub properties: BTreeSet<Property>,
    /// From a property file, the function where the program starts.
    pub entry: Option<String>,
    /// Those that were not named by the user: nothing is reported of them in programs without such a check.
    pub implied: BTreeSet<Property>,
    /// Whether the user chose no property, so that all are checked.
    pub is_default: bool,
    /// Whether this is one question, if of several properties (`valid-memsafety`, a property file of SV-COMP): a violation of
    /// any of them answers it.
    pub is_one_question: bool,
}

const MEMSAFETY: [Property; 3] = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];

/// What a C program is checked for by default: everything that is wrong in any program. Not among them is
/// what much working code does on purpose (arithmetic on null, comparing a pointer that was freed, memory that is not freed
/// before the end but still reachable), and `null`, which is a part of `valid-deref`.
pub(crate) const DEFAULT: [Property; 21] = [
    Property::UnreachCall,
    Property::Assertion,
    Property::ValidDeref,
    Property::ValidFree,
    Property::ValidMemtrack,
    Property::Uninitialised,
    Property::NoOverflow,
    Property::DivByZero,
    Property::Shift,
    Property::Bounds,
    Property::Alignment,
    Property::FloatCast,
    Property::VlaBound,
    Property::InvalidValue,
    Property::Nonnull,
    Property::Unreachable,
    Property::Return,
    Property::Builtin,
    Property::NoDataRace,
    Property::Deadlock,
    Property::StackOverflow,
];

/// Of these, what only few engines decide: where none of them can tell, a run for the default answers the rest, and says so.
pub(crate) const SOUGHT: [Property; 2] = [Property::Uninitialised, Property::StackOverflow];

/// Everything on `--property` and `--check` together; without `--property`, the default and the checks.
pub(crate) fn wanted(properties: &[String], checks: &[Property]) -> Result<Wanted, String> {
    let (mut wanted, mut by_name) = (Wanted { is_default: properties.is_empty(), ..Wanted::default() }, BTreeSet::new());
    let texts: Vec<&str> = properties.iter().flat_map(|text| names(text)).collect();
    wanted.is_one_question = checks.is_empty() && matches!(texts[..], [text] if text != "all");
    for text in texts {
        if is_property_file(text) {
            let file = property_file_at(text)?;
            wanted.properties.extend(file.properties);
            wanted.entry = wanted.entry.or(file.entry);
        } else {
            by_name.extend(named(text)?);
        }
    }
    if wanted.is_default {
        by_name.extend(DEFAULT);
    }
    by_name.extend(checks);
    // A property file means what it says and nothing more.
    wanted.implied = implied(&by_name).difference(&wanted.properties).copied().collect();
    wanted.properties.extend(by_name);
    wanted.properties.extend(&wanted.implied);
    match wanted.properties.is_empty() {
        true => Err("--property none leaves nothing to check; add --check, or name a property".into()),
        false => Ok(wanted),
    }
}

/// An error if a check of these properties is none that the program states, so that nobody can tell whose it is.
pub(crate) fn can_be_shared(properties: &BTreeSet<Property>) -> Result<(), String> {
    match properties.iter().find(|property| !property.is_asserted()) {
        None => Ok(()),
        Some(property) => {
            Err(format!("checks of {property} are not divided; name others with --property, such as unreach-call or no-overflow"))
        }
    }
}

/// An error if `--property` does not take this text.
pub fn check_property(text: &str) -> Result<(), String> {
    // With a check added: a list that is empty by itself (`none`) is fine here, because `--check` may add to it.
    wanted(&[text.to_string()], &[Property::UnreachCall]).map(drop)
}

/// The names in a list; the name of a property file may hold a comma.
pub(crate) fn names(text: &str) -> Vec<&str> {
    if is_property_file(text) { vec![text] } else { text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect() }
}

/// The properties that a name on the command line stands for.
fn named(text: &str) -> Result<BTreeSet<Property>, String> {
    match text {
        "valid-memsafety" | "memsafety" => Ok(MEMSAFETY.into()),
        "all" => Ok(Property::ALL.into_iter().filter(|&property| property != Property::BoogieAssert).collect()),
        "none" => Ok(BTreeSet::new()),
        _ => {
            let known = |error: fathom_ir::PropertyParseError| {
                let names = Property::ALL.map(Property::name).into_iter().chain(["valid-memsafety"]);
                let error = error.to_string().replacen(';', &format!("{};", did_you_mean(text, names)), 1);
                format!("{error}, valid-memsafety, all, none, or a .prp file")
            };
            Ok(BTreeSet::from([text.parse::<Property>().map_err(known)?]))
        }
    }
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

/// A word of warning if nothing in the program can violate any of these.
pub(crate) fn emptiness(program: &Program, properties: &BTreeSet<Property>) -> Option<String> {
    let is_empty = !properties.iter().any(|&property| program.can_violate(property));
    let what: Vec<String> = properties.iter().map(|&property| format!("no {}", what_violates(property))).collect();
    let shown = if what.len() > 3 { "nothing that could go wrong".into() } else { what.join(" and ") };
    is_empty.then(|| format!("there is nothing to check: the program has {shown}"))
}

/// The part of a program that may violate a property.
fn what_violates(property: Property) -> &'static str {
    match property {
        Property::UnreachCall => "call of reach_error or __VERIFIER_error",
        Property::Assertion | Property::BoogieAssert => "assertion",
        Property::ValidDeref | Property::Null => "access to memory",
        Property::ValidFree => "call of free",
        Property::ValidMemtrack | Property::ValidMemcleanup => "allocation",
        Property::Uninitialised => "variable or memory without a value",
        Property::StackOverflow => "call",
        Property::NoOverflow => "signed arithmetic that could overflow",
        Property::DivByZero => "division",
        Property::Shift => "shift",
        Property::Bounds => "index into an array inside an object",
        Property::Alignment => "access that could be misaligned",
        Property::FloatCast => "conversion of a float to an integer",
        Property::VlaBound => "array of variable length",
        Property::InvalidValue => "read of a bool or an enumeration",
        Property::Nonnull => "argument or result that must not be null",
        Property::Unreachable => "__builtin_unreachable()",
        Property::Return => "end of a function without a return",
        Property::PointerOverflow => "pointer arithmetic",
        Property::Builtin => "builtin function that is not defined for zero",
        Property::Dangling => "use of a pointer",
        Property::NoDataRace => "second thread",
        Property::Deadlock => "thread that waits",
        Property::Locks => "lock",
        Property::Termination => "run",
    }
}

fn is_property_file(text: &str) -> bool {
    Path::new(text).extension().is_some_and(|e| e.eq_ignore_ascii_case("prp")) || Path::new(text).is_file()
}

fn property_file_at(path: &str) -> Result<Wanted, String> {
    let content = std::fs::read_to_string(path).map_err(|error| format!("the property file {path} can't be read: {error}"))?;
    property_file(path, &content)
}

fn property_file(path: &str, content: &str) -> Result<Wanted, String> {
    let mut wanted = Wanted::default();
    for line in content.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let begin = line.as_ptr() as usize - content.as_ptr() as usize;
        let problem = |what: &str| snippet::message(path, content, begin..begin + line.len(), "error", what);
        if compact.starts_with("COVER(") {
            return Err(problem("a coverage criterion of Test-Comp, for which `fathom test --coverage` writes tests"));
        }
        let (entry, formula) = check_line(&compact).ok_or_else(|| problem("not of the form CHECK( init(f()), LTL(...) )"))?;
        if wanted.entry.get_or_insert_with(|| entry.clone()) != &entry {
            return Err(problem("another function to start in than before"));
        }
        wanted.properties.extend(formula_properties(&formula).ok_or_else(|| problem("a property that Fathom does not know"))?);
    }
    if wanted.properties.is_empty() {
        return Err(snippet::message(path, content, 0..0, "error", "there is no CHECK line in this file"));
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
        "!data-race" => Some(BTreeSet::from([Property::NoDataRace])),
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
        let got = wanted(&["valid-memsafety,no-overflow".into()], &[Property::Shift]).unwrap();
        let expected = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack, Property::NoOverflow, Property::Shift];
        let implied = [Property::VlaBound, Property::Unreachable];
        assert_eq!(got.properties, expected.into_iter().chain(implied).collect());
        assert_eq!(wanted(&["valid-memsafety".into(), "no-overflow".into()], &[Property::Shift]).unwrap(), got);
        assert!(wanted(&["no-such".into()], &[]).unwrap_err().contains("unreach-call"));
        assert!(wanted(&["missing.prp".into()], &[]).unwrap_err().contains("missing.prp"));
    }

    #[test]
    fn everything_and_nothing() {
        let usual = wanted(&[], &[]).unwrap();
        assert!(usual.is_default && usual.implied.is_empty());
        assert_eq!(usual.properties, BTreeSet::from(DEFAULT));
        let more = wanted(&[], &[Property::Dangling]).unwrap().properties;
        assert_eq!(more.len(), DEFAULT.len() + 1, "--check adds to the default");
        let only = wanted(&["none".into()], &[Property::DivByZero]).unwrap();
        assert_eq!(only.properties, BTreeSet::from([Property::DivByZero, Property::Unreachable]));
        assert!(wanted(&["none".into()], &[]).is_err());
        let all = wanted(&["all".into()], &[]).unwrap().properties;
        assert!(all.contains(&Property::Termination) && !all.contains(&Property::BoogieAssert));
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
        let got = property_file("p.prp", "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n\n").unwrap();
        assert_eq!(got, Wanted { properties: BTreeSet::from([Property::UnreachCall]), entry: Some("main".into()), ..Wanted::default() });
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(property_file("p.prp", memory).unwrap().properties, BTreeSet::from(MEMSAFETY));
        let overflow = property_file("p.prp", "CHECK( init(start()), LTL(G ! overflow) )").unwrap();
        assert_eq!((overflow.entry.as_deref(), overflow.properties.len()), (Some("start"), 1));
        let termination = property_file("p.prp", "CHECK( init(main()), LTL(F end) )").unwrap();
        assert_eq!(termination.properties, BTreeSet::from([Property::Termination]));
        let race = property_file("p.prp", "CHECK( init(main()), LTL(G ! data-race) )").unwrap();
        assert_eq!(race.properties, BTreeSet::from([Property::NoDataRace]));
        let coverage = property_file("p.prp", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").unwrap_err();
        assert!(coverage.contains("fathom test"), "{coverage}");
        for bad in ["", "CHECK( init(main()), LTL(F start) )", "G valid-free", "CHECK(", "CHECK( init(), LTL(G x) )"] {
            assert!(property_file("p.prp", bad).is_err(), "{bad}");
        }
    }
}
