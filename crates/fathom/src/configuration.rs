//! From arguments to configurations.

use crate::args::{CoverageGoal, InputArgs, ReplayArgs, TestArgs, UndefinedArg, VerifyArgs};
use crate::engine_args::ExploreArgs;
use crate::environment::environment;
use fathom_driver::{
    DashOptions, ExploreOptions, Goal, InductionOptions, InputConfig, ReplayConfig, TestConfig, Undefined, UnwindingOptions, VerifyConfig,
    WitnessForm,
};
use std::path::PathBuf;

/// The program, or what is wrong with the flags.
pub fn input(args: &InputArgs) -> Result<InputConfig, String> {
    Ok(InputConfig {
        files: args.files.clone(),
        compile_commands: args.build.compile_commands.clone(),
        target_files: args.build.target_files.clone(),
        target: args.build.target.clone(),
        model: args.model.chosen(),
        entry: args.entry.clone(),
        all: args.all,
        strict: args.strict,
        volatile_arbitrary: args.volatile_arbitrary,
        memory_model: args.memory_model,
        environment: environment(&args.environment)?,
        malloc_may_fail: args.environment.malloc_may_fail,
        entry_null: args.environment.entry_null,
        entry_alias: args.environment.entry_alias,
        entry_elements: Some(args.environment.entry_elements),
        contracts: args.contracts,
        undefined: match args.environment.undefined {
            UndefinedArg::Error => Undefined::Error,
            UndefinedArg::Havoc => Undefined::Havoc,
            UndefinedArg::Zero => Undefined::Zero,
        },
        clang_args: args.clang_args.clone(),
    })
}

/// The library's configuration for the arguments of `fathom verify`.
pub fn verify(args: &VerifyArgs) -> Result<VerifyConfig, String> {
    let (unwinding, induction, dash) = (&args.unwinding, &args.induction, &args.dash);
    Ok(VerifyConfig {
        input: input(&args.input)?,
        properties: args.properties.clone(),
        checks: args.checks.clone(),
        config_file: None,
        engine: args.engine.clone(),
        agree: args.agree,
        portfolio: args.portfolio.clone(),
        cores: args.cores,
        first: args.first,
        timeout: args.timeout,
        memory: args.memory,
        witness_out: witness_files(&args.witness_out)?,
        explain: args.explain,
        tree: args.tree.clone(),
        out: args.out.clone(),
        solver: args.solver.clone(),
        fp: args.fp,
        cross_check: args.cross_check,
        query_time: args.query_timeout,
        dump_queries: args.dump_queries.clone(),
        native: !args.no_native,
        seed: args.seed,
        share: args.share.clone(),
        facts: args.facts.clone(),
        share_of_checks: args.share_of_checks,
        explore: explore(&args.explore),
        unwinding: UnwindingOptions {
            unwind: unwinding.unwind,
            unwind_loop: unwinding.unwind_loop.clone(),
            unwinding: unwinding.unwinding,
            bmc_mode: unwinding.bmc_mode,
            merge: unwinding.merge,
        },
        induction: InductionOptions {
            first_k: induction.first_k,
            max_k: induction.max_k,
            no_bkind: induction.no_bkind,
            no_invariants: induction.no_invariants,
        },
        dash: DashOptions { plain: dash.plain, max_refinements: dash.max_refinements },
    })
}

/// The files for witnesses, if their names say which form each has.
fn witness_files(files: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    match files.iter().find(|file| WitnessForm::of(file).is_none()) {
        None => Ok(files.to_vec()),
        Some(file) => Err(format!("--witness-out {}: the name must end in .yml (YAML 2.0) or .graphml (GraphML 1.0)", file.display())),
    }
}

fn explore(args: &ExploreArgs) -> ExploreOptions {
    ExploreOptions {
        searcher: args.searcher,
        max_depth: args.max_depth,
        max_loop: args.max_loop,
        context_bound: args.context_bound,
        max_states: args.max_states,
        start_with: args.start_with.clone(),
        interpolate: args.interpolate,
        audit: args.audit,
        table_series: args.table_series,
        targets: args.targets,
        interpolant_memory: args.interpolant_memory,
        check_assumptions: args.check_assumptions,
        without: args.without.clone(),
    }
}

/// The library's configuration for the arguments of `fathom test`.
pub fn test(args: &TestArgs) -> Result<TestConfig, String> {
    Ok(TestConfig {
        common: verify(&args.common)?,
        goal: match args.coverage {
            CoverageGoal::Branch => Goal::Branches,
            CoverageGoal::Line => Goal::Lines,
            CoverageGoal::ErrorCall => Goal::ErrorCall,
        },
        min: args.min,
        max_tests: args.max_tests,
        statistics: args.common.stats,
    })
}

/// The library's configuration for the arguments of `fathom replay`.
pub fn replay(args: &ReplayArgs) -> Result<ReplayConfig, String> {
    Ok(ReplayConfig { test: args.test.clone(), input: input(&args.input)?, timeout: args.timeout, memory: args.memory, leaks: args.leaks })
}
