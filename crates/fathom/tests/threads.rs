//! Explorations of programs with threads, as a user sees them: how the number of choices grows, and what becomes of it where a program
//! does not keep to its locks.

mod common;

use common::{Bench, Run};

/// Threads that count together, each so often; the body of a round is between two halves of a critical section.
fn counting(threads: u32, rounds: u32, round: &str) -> String {
    format!(
        "#include <pthread.h>\nvoid reach_error(void);\npthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\nint count, seen;\n\
         void *work(void *argument) {{\n  for (int i = 0; i < {rounds}; i++) {{\n    pthread_mutex_lock(&mutex);\n    count++;\n    \
         pthread_mutex_unlock(&mutex);\n    {round}\n  }}\n  return 0;\n}}\n\
         int main(void) {{\n  pthread_t threads[{threads}];\n  for (int i = 0; i < {threads}; i++)\n    pthread_create(&threads[i], 0, work, 0);\n  \
         for (int i = 0; i < {threads}; i++)\n    pthread_join(threads[i], 0);\n  if (count != {})\n    reach_error();\n  return 0;\n}}\n",
        threads * rounds
    )
}

fn verify(text: &str) -> Run {
    let bench = Bench::new();
    bench.write("program.c", text);
    bench.verify(&["program.c", "--property", "unreach-call", "--engine", "explore", "--stats", "--no-native"])
}

fn counter(run: &Run, name: &str) -> u64 {
    let line = run.stdout.lines().chain(run.stderr.lines()).find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": "));
    line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no `{name}` in\n{}{}", run.stdout, run.stderr))
}

#[test]
fn a_critical_section_is_one_step() {
    let runs = [2, 3].map(|threads| verify(&counting(threads, 10, "")));
    runs.iter().for_each(|run| assert_eq!(run.verdict(), "true"));
    let forks = runs.each_ref().map(|run| counter(run, "forks"));
    assert!(forks[0] <= 121 && forks[1] <= 2 * 1331, "a fork or two for each state of the counters, not {forks:?}");
    runs.iter().for_each(|run| assert_eq!(counter(run, "searches that relied on locks in vain"), 0));
}

#[test]
fn what_is_accessed_without_its_lock_is_a_choice_again() {
    let run = verify(&counting(2, 2, "seen = count;"));
    assert_eq!(run.verdict(), "true");
    assert!(counter(&run, "searches that relied on locks in vain") > 0);
    let run = verify(&counting(2, 2, "count = count + 0;"));
    assert_eq!(run.verdict(), "false(unreach-call)");
}
