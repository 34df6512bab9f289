//! A program with threads as C.

use super::{Stmt, ThreadProgram};
use std::fmt::Write;

const HEAD: &str = "#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, z;
unsigned char b[4], c[4];
struct pair { int first, second; } s, t;
unsigned long w[3], v[3];
_Thread_local int own;
pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
";

#[derive(Default)]
struct Text {
    helpers: String,
    count: usize,
}

impl ThreadProgram {
    /// The program as C text.
    pub fn source(&self) -> String {
        let mut text = Text::default();
        let mut functions = String::new();
        for number in 1..self.threads.len() {
            let _ = writeln!(functions, "void *f{number}(void *);");
        }
        for (number, body) in self.threads.iter().enumerate() {
            let head = match number {
                0 => "int main(void) {\n  int local = 0, *q = &local;\n".to_string(),
                _ => format!("void *f{number}(void *a) {{\n  int *q = a;\n"),
            };
            functions.push_str(&head);
            functions.push_str("  unsigned long r0 = 0, r1 = 0;\n  pthread_t p1, p2, p3;\n");
            functions.push_str(&text.block(body, number, 1));
            functions.push_str("  return 0;\n}\n");
        }
        format!("{HEAD}{}{functions}", text.helpers)
    }
}

impl Text {
    fn block(&mut self, body: &[Stmt], thread: usize, depth: usize) -> String {
        body.iter().map(|stmt| format!("{}{}\n", "  ".repeat(depth), self.stmt(stmt, thread, depth))).collect()
    }

    fn stmt(&mut self, stmt: &Stmt, thread: usize, depth: usize) -> String {
        let end = "  ".repeat(depth);
        match stmt {
            Stmt::Store(variable, value) => format!("{} = {value};", variable.name),
            Stmt::Add(variable, value) => format!("{0} = {0} + {value};", variable.name),
            Stmt::Load(register, variable) => format!("r{register} = {};", variable.name),
            Stmt::Range(range) => format!("{};", range.text),
            Stmt::Lock(mutex) => format!("pthread_mutex_lock(&m{mutex});"),
            Stmt::Unlock(mutex) => format!("pthread_mutex_unlock(&m{mutex});"),
            Stmt::Atomic(body) => {
                let body = self.block(body, thread, depth);
                format!("__VERIFIER_atomic_begin();\n{body}{end}__VERIFIER_atomic_end();")
            }
            Stmt::Helper(body) => {
                let body = self.block(body, thread, 1);
                let number = self.count;
                self.count += 1;
                let _ = writeln!(self.helpers, "static void h{number}(int *q) {{\n{body}}}");
                format!("h{number}(q);")
            }
            Stmt::IfEqual(register, value, body) => {
                format!("if (r{register} == {value}) {{\n{}{end}}}", self.block(body, thread, depth + 1))
            }
            Stmt::Spin(variable, value) => format!("while ({} != {value});", variable.name),
            Stmt::Assume(variable, value) => format!("__VERIFIER_assume({} == {value});", variable.name),
            Stmt::Quiet => "for (int i = 0; i < 40; i++);".to_string(),
            Stmt::Create(thread) => format!("pthread_create(&p{thread}, 0, f{thread}, q);"),
            Stmt::Join(thread) => format!("pthread_join(p{thread}, 0);"),
            Stmt::End => "pthread_exit(0);".to_string(),
            Stmt::Exit => "exit(0);".to_string(),
            Stmt::Check([first, second]) => format!("if (r0 == {first} && r1 == {second}) reach_error();"),
        }
    }
}
