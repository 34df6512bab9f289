//! A code base: its files with their flags, their definitions, and the call graph. From these follow the files of a
//! program, the entries from which a function is reachable, and a hash of everything that a run from an entry depends
//! on.

use crate::compile_commands;
use crate::config::InputConfig;
use crate::forking::time_of_children;
use crate::scan::analyzer::Call;
use fathom_base::UnitFlags;
use fathom_frontend_llvm::{Definition, Options, Survey};
use fathom_scan::{Alarm, digest};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// A file and how it is compiled.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub file: PathBuf,
    pub flags: Result<UnitFlags, String>,
}

/// The files that are to be scanned, each once: those that are named, and those of a build.
pub(crate) fn units(input: &InputConfig) -> Result<Vec<Unit>, String> {
    let mut units = Vec::new();
    let directory = std::env::current_dir().map_err(|error| format!("the current directory can't be read: {error}"))?;
    for file in &input.files {
        let whole = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()));
        let file = whole.clone().unwrap_or_else(|_| std::path::absolute(file).unwrap_or_else(|_| file.clone()));
        let flags = whole.map(|_| UnitFlags { args: input.clang_args.clone(), directory: directory.clone() });
        units.push(Unit { file, flags });
    }
    if let Some(place) = &input.compile_commands {
        let of_build = compile_commands::every_unit(place)?;
        let fresh: Vec<Unit> =
            of_build.into_iter().map(|(file, flags)| Unit { file, flags: flags.map(|flags| with(flags, input)) }).collect();
        units.extend(fresh);
    }
    let mut seen = BTreeSet::new();
    units.retain(|unit| seen.insert(unit.file.clone()));
    if units.is_empty() {
        return Err("there is nothing to scan: no file is named and the compile_commands.json has no C file".into());
    }
    Ok(units)
}

fn with(mut flags: UnitFlags, input: &InputConfig) -> UnitFlags {
    flags.args.extend(input.clang_args.iter().cloned());
    flags
}

/// A function or variable, without its text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Symbol {
    pub name: String,
    pub is_internal: bool,
    pub is_function: bool,
    pub is_constant: bool,
    pub holds_result: bool,
    pub takes_structures: bool,
    pub file: String,
    pub line: u32,
    pub last_line: u32,
    pub mentions: BTreeSet<String>,
    /// Of its text.
    pub hash: String,
}

/// Facts about a file, kept in the store under a hash of its preprocessed text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct UnitFacts {
    pub symbols: Vec<Symbol>,
    /// Of its types and flags.
    pub hash: String,
    pub alarms: Vec<Alarm>,
    /// Seconds that clang's analyzer computed.
    pub analyzer: f64,
    /// Why there is nothing.
    pub failure: Option<String>,
}

/// Compiles a file and lets clang's analyzer look at it.
pub(crate) fn facts(unit: &Unit, options: &Options, model: &str) -> UnitFacts {
    let flags = match &unit.flags {
        Ok(flags) => flags,
        Err(why) => return UnitFacts { failure: Some(why.clone()), ..UnitFacts::default() },
    };
    let options = Options { units: BTreeMap::from([(unit.file.clone(), flags.clone())]), ..options.clone() };
    let surveyed = match fathom_frontend_llvm::survey(&unit.file, &options) {
        Ok(surveyed) => surveyed,
        Err(error) => {
            let text = error.to_string();
            let telling = fathom_clang::first_error(&text).unwrap_or("it can't be compiled");
            return UnitFacts { failure: Some(telling.to_string()), ..UnitFacts::default() };
        }
    };
    let before = time_of_children();
    let (alarms, failure) = match (Call { file: &unit.file, flags, model }).alarms() {
        Ok(alarms) => (alarms, None),
        Err(why) => (Vec::new(), Some(format!("clang's analyzer: {why}"))),
    };
    let Survey { definitions, types } = surveyed;
    let hash = digest(&[&types, &flags.args.join("\0"), model]);
    let symbols = definitions.into_iter().map(|definition| symbol(definition, &flags.directory)).collect();
    UnitFacts { symbols, hash, alarms, analyzer: (time_of_children() - before).as_secs_f64(), failure }
}

fn symbol(definition: Definition, directory: &Path) -> Symbol {
    let whole = directory.join(&definition.file);
    let file = whole.canonicalize().unwrap_or(whole).display().to_string();
    Symbol {
        file,
        hash: digest(&[&definition.text]),
        name: definition.name,
        is_internal: definition.is_internal,
        is_function: definition.is_function,
        is_constant: definition.is_constant,
        holds_result: definition.holds_result,
        takes_structures: definition.takes_structures,
        line: definition.line,
        last_line: definition.last_line,
        mentions: definition.mentions,
    }
}

/// A symbol of a file: by the numbers of both.
pub(crate) type Id = (usize, usize);

/// The functions and variables of all files, and which mentions which.
pub(crate) struct CodeBase {
    pub units: Vec<Unit>,
    pub facts: Vec<UnitFacts>,
    /// Who defines a symbol that other files may name.
    exported: BTreeMap<String, Vec<Id>>,
    /// What each file defines, by name.
    own: Vec<BTreeMap<String, usize>>,
}

impl CodeBase {
    /// Puts the facts about all files together.
    pub fn new(units: Vec<Unit>, facts: Vec<UnitFacts>) -> Self {
        let mut exported: BTreeMap<String, Vec<Id>> = BTreeMap::new();
        for (unit, facts) in facts.iter().enumerate() {
            for (index, symbol) in facts.symbols.iter().enumerate().filter(|(_, symbol)| !symbol.is_internal) {
                exported.entry(symbol.name.clone()).or_default().push((unit, index));
            }
        }
        let names = |facts: &UnitFacts| facts.symbols.iter().enumerate().map(|(index, symbol)| (symbol.name.clone(), index)).collect();
        let own = facts.iter().map(names).collect();
        Self { units, facts, exported, own }
    }

    /// The function or variable of this number.
    pub fn symbol(&self, id: Id) -> &Symbol {
        &self.facts[id.0].symbols[id.1]
    }

    /// Every function.
    pub fn functions(&self) -> impl Iterator<Item = Id> {
        let of_unit = |(unit, facts): (usize, &'_ UnitFacts)| (0..facts.symbols.len()).map(move |index| (unit, index));
        self.facts.iter().enumerate().flat_map(of_unit).filter(|id| self.symbol(*id).is_function)
    }

    /// What a symbol stands for in a file: its own definition, or that of the one file which has one. Where several have one
    /// nobody knows which is linked.
    fn meaning(&self, unit: usize, name: &str) -> Option<Id> {
        if let Some(own) = self.own[unit].get(name) {
            return Some((unit, *own));
        }
        match self.exported.get(name).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        }
    }

    /// Everything that a run from here may reach or access.
    pub fn reached(&self, from: Id) -> BTreeSet<Id> {
        let (mut reached, mut waiting) = (BTreeSet::from([from]), VecDeque::from([from]));
        while let Some(id) = waiting.pop_front() {
            let meant = self.symbol(id).mentions.iter().filter_map(|name| self.meaning(id.0, name));
            let fresh: Vec<Id> = meant.filter(|next| !reached.contains(next)).collect();
            reached.extend(&fresh);
            waiting.extend(fresh);
        }
        reached
    }

    /// Who mentions each symbol.
    pub fn mentioned_by(&self) -> BTreeMap<Id, Vec<Id>> {
        let mut found: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
        for (unit, facts) in self.facts.iter().enumerate() {
            for (index, symbol) in facts.symbols.iter().enumerate() {
                let meant = symbol.mentions.iter().filter_map(|name| self.meaning(unit, name));
                meant.for_each(|to| found.entry(to).or_default().push((unit, index)));
            }
        }
        found
    }

    /// Whether two symbols are one function of a header that two files include.
    pub fn is_same(&self, a: Id, b: Id) -> bool {
        let (a, b) = (self.symbol(a), self.symbol(b));
        (&a.file, a.line, &a.name) == (&b.file, b.line, &b.name)
    }

    /// The files that define the functions and variables that an entry reaches.
    pub fn files(&self, reached: &BTreeSet<Id>, entry: Id) -> Vec<PathBuf> {
        let units: BTreeSet<usize> = reached.iter().map(|(unit, _)| *unit).collect();
        let first = std::iter::once(entry.0).chain(units.into_iter().filter(|unit| *unit != entry.0));
        first.map(|unit| self.units[unit].file.clone()).collect()
    }

    /// A hash of everything that is reached.
    pub fn hash(&self, reached: &BTreeSet<Id>) -> String {
        let mut parts: BTreeSet<&str> = reached.iter().map(|(unit, _)| self.facts[*unit].hash.as_str()).collect();
        parts.extend(reached.iter().map(|id| self.symbol(*id).hash.as_str()));
        digest(&parts.into_iter().collect::<Vec<_>>())
    }

    /// The function that a place is in.
    pub fn function_at(&self, file: &str, line: u32) -> Option<Id> {
        let is_there = |id: &Id| {
            let symbol = self.symbol(*id);
            symbol.file == file && (symbol.line..=symbol.last_line).contains(&line)
        };
        self.functions().filter(is_there).max_by_key(|id| self.symbol(*id).line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, is_internal: bool, mentions: &[&str]) -> Symbol {
        let mentions = mentions.iter().map(|name| name.to_string()).collect();
        Symbol { name: name.into(), is_internal, is_function: true, mentions, hash: name.into(), ..Symbol::default() }
    }

    #[test]
    fn a_name_means_the_file_s_own_definition_first() {
        let unit = |file: &str| Unit { file: file.into(), flags: Ok(UnitFlags::default()) };
        let facts = |symbols| UnitFacts { symbols, ..UnitFacts::default() };
        let code = CodeBase::new(
            vec![unit("/a.c"), unit("/b.c"), unit("/c.c")],
            vec![
                facts(vec![symbol("f", false, &["help", "g", "main"])]),
                facts(vec![symbol("g", false, &["help"]), symbol("help", true, &[]), symbol("main", false, &[])]),
                facts(vec![symbol("help", false, &[]), symbol("main", false, &[])]),
            ],
        );
        // f calls the exported `help` of c.c, g its own; which `main` is meant nobody knows.
        assert_eq!(code.reached((0, 0)), BTreeSet::from([(0, 0), (1, 0), (1, 1), (2, 0)]));
        assert_eq!(code.files(&code.reached((1, 0)), (1, 0)), [PathBuf::from("/b.c")]);
    }
}
