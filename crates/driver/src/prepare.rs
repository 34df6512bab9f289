//! Prepares a task for engines: the program, its properties, solvers, limits and output directory. All errors in the
//! configuration are found here, before an engine starts.

use crate::boogie::{self, EveryAxiom, LoadedBoogie};
use crate::compile_commands::{self, Sources};
use crate::config::{ExploreOptions, Optimisation, VerifyConfig};
use crate::error::Error;
use crate::facts;
use crate::load::{self, Purpose};
use crate::output::OutDir;
use crate::properties::{self, SOUGHT, Wanted};
use crate::session::Session;
use crate::solvers::Solvers;
use fathom_base::{Budget, NativeParts};
use fathom_distribute::FactStore;
use fathom_engine::Known;
use fathom_frontend_boogie::lower::LowerOptions;
use fathom_frontend_llvm::{Counter, Loaded};
use fathom_ir::{Program, Property};
use fathom_native::NativeSetup;
use fathom_passes::Divided;
use fathom_term::{Rules, Sort, TermStore};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The solver for programs of bits and bytes.
pub(crate) const C_SOLVER: &str = "bitwuzla";

/// A program that is ready for engines, and everything that the flags say about how it is to be decided.
pub(crate) struct Prepared<'a> {
    pub config: &'a VerifyConfig,
    pub session: &'a Session,
    pub budget: Budget,
    pub entry: String,
    pub program: Rc<Program>,
    /// The program with calls replaced by contracts.
    pub by_contracts: Option<Rc<Program>>,
    /// Axioms, where some were left out of the program.
    pub every_axiom: Option<EveryAxiom>,
    pub properties: BTreeSet<Property>,
    pub out: Option<OutDir>,
    pub warnings: Vec<String>,
    pub sources: Sources,
    pub solvers: Solvers,
    /// Whether there is a native form of the program.
    pub compiled: bool,
    /// Properties that nothing in the program can violate: no engine is asked about them.
    pub nothing_to_check: BTreeSet<Property>,
    /// Whether no property was chosen.
    pub is_default: bool,
    /// Whether the first violation answers the question, so that the other properties need no answer.
    pub one_is_enough: bool,
    /// The program with every check, for those who decide some of the properties.
    pub unselected: Option<Program>,
    /// Where the compiled program's profile counts, if that was asked for.
    pub counters: Vec<Counter>,
    /// How many of the checks are this run's, if they are divided.
    pub divided: Option<Divided>,
    /// Where runs leave facts for each other.
    pub facts: Option<FactStore>,
    /// What others left there.
    pub known: Known,
    /// What the front end knows for native runs.
    native: NativeParts,
}

/// Reads the program and gets everything ready. With `for_tests` it is compiled as the builds of tests are.
pub(crate) fn prepare<'a>(config: &'a VerifyConfig, session: &'a Session, for_tests: bool) -> Result<Prepared<'a>, Error> {
    let wanted = properties::wanted(&config.properties, &config.checks).map_err(Error::Usage)?;
    let out = config.out.as_deref().map(|path| OutDir::prepare("--out", path)).transpose().map_err(Error::Usage)?;
    let time = config.timeout.saturating_sub(session.start.elapsed());
    let budget = Budget::new(Some(time), Some(config.memory), session.cancelled.clone());
    session.listener.phase("reading the program");
    let is_boogie = boogie::is_boogie(&config.input.files).map_err(Error::Usage)?;
    if !config.properties.is_empty() || !config.checks.is_empty() {
        properties::fit_language(&wanted.properties, is_boogie).map_err(Error::Usage)?;
    }
    let begun = Begun { config, session, budget, out, store: Rc::new(TermStore::new()) };
    begun.store.set_rules(Rules {
        simplify: config.explore.has(Optimisation::Simplification),
        maps_at_constants: config.explore.has(Optimisation::MapConstants),
        maps_at_offsets: config.explore.has(Optimisation::MapOffsets),
    });
    let mut prepared = if is_boogie { begun.boogie() } else { begun.c(wanted, for_tests) }?;
    prepared.warnings.splice(0..0, session.notes.iter().cloned());
    prepared.facts = facts::store(config, &prepared.sources.files, &prepared.entry, &prepared.program)?;
    if let Some(store) = &prepared.facts {
        let (known, warning) = facts::read(store, &prepared.program);
        prepared.known = known;
        prepared.warnings.extend(warning);
    }
    session.listener.quiet();
    Ok(prepared)
}

/// A run before its program is read.
struct Begun<'a> {
    config: &'a VerifyConfig,
    session: &'a Session,
    budget: Budget,
    out: Option<OutDir>,
    store: Rc<TermStore>,
}

/// What a front end read, whatever the language is.
struct Read {
    program: Rc<Program>,
    entry: String,
    warnings: Vec<String>,
    properties: BTreeSet<Property>,
    sources: Sources,
}

impl<'a> Begun<'a> {
    fn boogie(self) -> Result<Prepared<'a>, Error> {
        let (config, store) = (self.config, self.store.clone());
        if config.share_of_checks.is_some() {
            return Err(Error::Usage("--share-of-checks: the checks of Boogie programs are not divided".into()));
        }
        let LoadedBoogie { program, by_contracts, entry, mut warnings, every_axiom } =
            boogie::load(&config.input, lowering(&config.explore), store.clone())?;
        let properties = BTreeSet::from([Property::BoogieAssert]);
        warnings.extend(properties::emptiness(&program, &properties));
        let solvers = Solvers::new(config, boogie::suitable_solver(&program), store).map_err(Error::Usage)?;
        solvers.literals_fit(&program).map_err(Error::Usage)?;
        let read = Read {
            program: Rc::new(solvers.restricted(program)),
            entry,
            warnings,
            properties,
            sources: Sources { files: config.input.files.clone(), ..Sources::default() },
        };
        let by_contracts = by_contracts.map(|program| Rc::new(solvers.restricted(program)));
        Ok(Prepared { by_contracts, every_axiom: Some(every_axiom), ..self.prepared(read, solvers) })
    }

    fn c(self, wanted: Wanted, for_tests: bool) -> Result<Prepared<'a>, Error> {
        let (config, store) = (self.config, self.store.clone());
        let Wanted { mut properties, entry, implied, is_default, is_one_question } = wanted;
        if config.share_of_checks.is_some() {
            properties::can_be_shared(&properties).map_err(|why| Error::Usage(format!("--share-of-checks: {why}")))?;
        }
        if for_tests && is_default {
            // Tests are built so that all memory has a value, so properties that are only looked for would not show, and they would end
            // paths early.
            properties.retain(|property| !SOUGHT.contains(property));
        }
        if config.input.contracts {
            use_contracts(&mut properties)?;
        }
        let solvers = Solvers::new(config, C_SOLVER, store.clone()).map_err(Error::Usage)?;
        let entry = config.input.entry.clone().or(entry).unwrap_or_else(|| "main".into());
        let sources = compile_commands::sources(&config.input).map_err(Error::bad_file)?;
        let purpose = Purpose { for_tests, checks: &properties };
        let Loaded { program, mut warnings, counters, mut native } = load::load_c(&config.input, &sources, &entry, purpose, store)?;
        properties.retain(|property| !implied.contains(property) || program.asserts(*property));
        let program = solvers.restricted(program);
        native.stand_ins.retain(|name, _| !fathom_passes::is_unmodelled(name));
        let unselected = Some(program.clone());
        let mut program = fathom_passes::prepare(program, &properties, config.input.undefined);
        let divided = config.share_of_checks.map(|share| fathom_passes::share_checks(&mut program, &properties, share));
        let program = Rc::new(program);
        let nothing_to_check = if for_tests { BTreeSet::new() } else { nothing_to_check(&program, &mut properties) };
        if !for_tests && divided.is_none() {
            warnings.extend(properties::emptiness(&program, &properties));
        }
        solvers.literals_fit(&program).map_err(Error::Usage)?;
        let read = Read { program, entry, warnings, properties, sources };
        let given = Prepared { compiled: !config.input.contracts, unselected, counters, native, divided, ..self.prepared(read, solvers) };
        Ok(Prepared { nothing_to_check, is_default, one_is_enough: config.first || is_one_question, ..given })
    }

    /// With what is the same for every language.
    fn prepared(self, read: Read, solvers: Solvers) -> Prepared<'a> {
        let Begun { config, session, budget, out, .. } = self;
        let Read { program, entry, warnings, properties, sources } = read;
        Prepared {
            config,
            session,
            budget,
            out,
            entry,
            warnings,
            program,
            by_contracts: None,
            every_axiom: None,
            properties,
            sources,
            solvers,
            compiled: false,
            nothing_to_check: BTreeSet::new(),
            is_default: false,
            one_is_enough: true,
            unselected: None,
            counters: Vec::new(),
            divided: None,
            facts: None,
            known: Known::default(),
            native: NativeParts::default(),
        }
    }
}

/// What is proved with contracts rests on each of them being kept, so these are always checked. What a call replaced by a contract
/// does not show can't be asked for.
fn use_contracts(properties: &mut BTreeSet<Property>) -> Result<(), Error> {
    if properties.contains(&Property::Termination) {
        return Err(Error::Usage(
            "--contracts says nothing about termination: a call that is replaced by a contract might never return".into(),
        ));
    }
    properties.remove(&Property::StackOverflow);
    properties.insert(Property::Assertion);
    Ok(())
}

/// Takes out the properties that nothing in the program can violate, unless these are all. Where memory is not checked they
/// stay as well: behind an access that is not valid anything may happen.
fn nothing_to_check(program: &Program, properties: &mut BTreeSet<Property>) -> BTreeSet<Property> {
    if program.can_violate(Property::ValidDeref) && !properties.contains(&Property::ValidDeref) {
        return BTreeSet::new();
    }
    let (left, without): (BTreeSet<Property>, BTreeSet<Property>) = properties.iter().partition(|&&property| program.can_violate(property));
    if left.is_empty() {
        return BTreeSet::new();
    }
    *properties = left;
    without
}

fn lowering(effort: &ExploreOptions) -> LowerOptions {
    LowerOptions {
        remove_dead: effort.has(Optimisation::DeadDeclarations) && !effort.check_assumptions,
        number_unique: effort.has(Optimisation::UniqueNumbers),
    }
}

impl Prepared<'_> {
    /// How the program is compiled to be run.
    pub fn native_setup(&self) -> NativeSetup {
        let mut setup = load::native_setup(&self.config.input, &self.sources, &self.entry, self.program.layout.pointer_bits);
        // The program was read with this flag if it changes the rounding mode: clang must not fold floating-point constants then.
        if self.program.globals.iter().any(|variable| variable.sort == Sort::RoundingMode) {
            setup.clang_args.push("-frounding-math".into());
        }
        setup.parts = self.native.clone();
        setup
    }
}
