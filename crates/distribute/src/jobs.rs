//! Job files of a plan: a job array for Slurm, a makefile, a matrix for GitHub Actions. Each job is one `fathom run`,
//! which does nothing if its task has a result; so starting all jobs again repeats only the lost ones.

use crate::plan::Plan;
use std::fmt::Write as _;
use std::str::FromStr;

/// Who runs the jobs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum JobFormat {
    /// An array of jobs for `sbatch`.
    Slurm,
    /// A makefile.
    Make,
    /// The matrix of a workflow.
    GithubMatrix,
}

/// What a job needs in addition to its task.
#[derive(Copy, Clone, Debug)]
pub struct JobLimits {
    /// Seconds for reading the program and for the checks after an answer, beyond the task's own.
    pub overhead_s: u64,
    /// Bytes beyond the task's own.
    pub overhead_memory: u64,
}

impl Default for JobLimits {
    /// A run ends within seconds of its limit; solvers may take a moment to notice that memory is used up.
    fn default() -> Self {
        Self { overhead_s: 60, overhead_memory: 1 << 30 }
    }
}

/// GitHub starts no more jobs for one matrix.
const LARGEST_MATRIX: usize = 256;

impl FromStr for JobFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "slurm" => Ok(JobFormat::Slurm),
            "make" => Ok(JobFormat::Make),
            "github-matrix" => Ok(JobFormat::GithubMatrix),
            _ => Err("known are: slurm, make and github-matrix".into()),
        }
    }
}

impl JobFormat {
    /// The file in the directory of the plan.
    pub fn file_name(self) -> &'static str {
        match self {
            JobFormat::Slurm => "jobs.slurm",
            JobFormat::Make => "Makefile",
            JobFormat::GithubMatrix => "matrix.json",
        }
    }

    /// What the file says, or why it can't say it.
    pub fn text(self, plan: &Plan, limits: JobLimits) -> Result<String, String> {
        match self {
            JobFormat::Slurm => Ok(slurm(plan, limits)),
            JobFormat::Make => Ok(makefile(plan)),
            JobFormat::GithubMatrix => matrix(plan),
        }
    }
}

fn slurm(plan: &Plan, limits: JobLimits) -> String {
    let longest = plan.tasks.iter().map(|task| task.question.timeout_ms).max().unwrap_or(0).div_ceil(1000) + limits.overhead_s;
    let largest = plan.tasks.iter().map(|task| task.question.memory).max().unwrap_or(0) + limits.overhead_memory;
    let (minutes, megabytes) = (longest.div_ceil(60), largest.div_ceil(1 << 20));
    format!(
        "#!/bin/sh\n\
         # Start it with `sbatch jobs.slurm` in this directory, which all nodes must see. What is done already is not done again.\n\
         #SBATCH --job-name=fathom\n\
         #SBATCH --array=1-{}\n\
         #SBATCH --cpus-per-task=2\n\
         #SBATCH --mem={megabytes}M\n\
         #SBATCH --time={minutes}\n\
         #SBATCH --requeue\n\
         exec fathom run . \"$SLURM_ARRAY_TASK_ID\" --cores 2\n",
        plan.tasks.len()
    )
}

fn makefile(plan: &Plan) -> String {
    let mut text = String::from(
        "# `make -k -j8` does what is not done yet, eight tasks at a time, and goes on where a task must be run again.\nFATHOM ?= fathom\n\
         .PHONY: all\nall:",
    );
    plan.tasks.iter().for_each(|task| _ = write!(text, " \\\n    results/{}", task.result_name()));
    text += "\n\nresults/%.jsonl:\n\t@$(FATHOM) run . $* --cores 1\n";
    text
}

fn matrix(plan: &Plan) -> Result<String, String> {
    let tasks = plan.tasks.len();
    if tasks > LARGEST_MATRIX {
        return Err(format!(
            "--format github-matrix: a matrix has at most {LARGEST_MATRIX} jobs, and there are {tasks} tasks; plan less at a time"
        ));
    }
    let jobs: Vec<_> = plan.tasks.iter().map(|task| serde_json::json!({ "task": task.id, "name": task.name })).collect();
    Ok(format!("{}\n", serde_json::json!({ "include": jobs })))
}
