//! A conversation with the language server, as an editor has it: what it says of programs that are wrong, mended, no programs or no
//! C, what can be done about a finding, and that it leaves nothing behind.

mod common;

use common::{Bench, files_in};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor.
struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    /// What was heard while something else was waited for.
    heard: VecDeque<Value>,
    requests: i64,
}

impl Editor {
    /// Starts a server and says hello, with settings under which runs are short.
    fn new(bench: &Bench, settings: Value) -> Self {
        let mut server = bench.command(&["lsp", "--stdio"]).stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let (heard, ears) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                let _ = heard.send(message);
            }
        });
        let input = server.stdin.take();
        let mut editor = Self { server, input, output: ears, heard: VecDeque::new(), requests: 0 };
        let capabilities = json!({ "window": { "workDoneProgress": true, "showDocument": { "support": true } } });
        let hello = json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": settings });
        let answer = editor.ask("initialize", hello);
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], "utf-16", "{answer}");
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        self.send_raw(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    fn send_raw(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// A request and its answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        self.requests
    }

    fn answer(&mut self, id: i64) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The next message of this kind; others are kept.
    fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&is_wanted) {
            return self.heard.remove(at).unwrap();
        }
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.output.recv_timeout(left).unwrap_or_else(|_| panic!("nothing came of it; heard: {:#?}", self.heard));
            if is_wanted(&message) {
                return message;
            }
            self.heard.push_back(message);
        }
    }

    fn open(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).unwrap();
        let document = json!({ "uri": uri(path), "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn save(&mut self, path: &Path) {
        self.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri(path) } }));
    }

    /// What is said about a file next.
    fn diagnostics(&mut self, path: &Path) -> Vec<Value> {
        let uri = uri(path);
        let told = self.wait(|message| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri);
        told["params"]["diagnostics"].as_array().unwrap().clone()
    }

    fn actions(&mut self, path: &Path, range: &Value) -> Vec<Value> {
        let params = json!({ "textDocument": { "uri": uri(path) }, "range": range, "context": { "diagnostics": [] } });
        self.ask("textDocument/codeAction", params)["result"].as_array().unwrap().clone()
    }

    fn execute(&mut self, command: &str, argument: Value) -> Value {
        self.ask("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
    }

    /// Says goodbye; the server ends as it should, and so does everything that it started.
    fn close(mut self, bench: &Bench) {
        assert_eq!(self.ask("shutdown", Value::Null)["result"], Value::Null);
        let refused = self.ask("textDocument/codeAction", json!({}));
        assert_eq!(refused["error"]["code"], -32600, "{refused}");
        self.tell("exit", Value::Null);
        assert_eq!(self.server.wait().unwrap().code(), Some(0));
        assert_eq!(files_in(&bench.temporary()), Vec::<String>::new(), "temporary files were left behind");
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|count| *count > 0)?;
        match line.trim().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().unwrap(),
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.canonicalize().unwrap().display()).replace(' ', "%20").replace('é', "%C3%A9")
}

fn quick() -> Value {
    json!({ "properties": ["div-by-zero"], "engine": "explore", "native": false, "timeout": "60s" })
}

const WRONG: &str = "\
int nondet_int(void);
int main(void) {
  int é = nondet_int();
  int half = é > 3 ? 0 : 2;
  return 100 / half;
}
";

#[test]
fn a_violation_is_shown_and_gone_when_it_is_mended() {
    let bench = Bench::new();
    let file = bench.write("my é.c", WRONG);
    let mut editor = Editor::new(&bench, quick());
    editor.open(&file);
    let begun = editor.wait(|message| message["method"] == "$/progress" && message["params"]["value"]["kind"] == "begin");
    assert_eq!(begun["params"]["value"]["title"], "Fathom: my é.c");
    let found = editor.diagnostics(&file);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((&found[0]["code"], &found[0]["severity"], &found[0]["source"]), (&json!("div-by-zero"), &json!(1), &json!("fathom")));
    assert_eq!(found[0]["range"], json!({ "start": { "line": 4, "character": 13 }, "end": { "line": 4, "character": 14 } }));
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.starts_with("division by zero") && message.contains("half = 0"), "{message}");
    let related = found[0]["relatedInformation"].as_array().unwrap();
    assert_eq!(related[0]["location"]["uri"], uri(&file));
    assert!(related[0]["message"].as_str().unwrap().contains("nondet_int() = "), "{related:#?}");
    // `é` has two bytes and one unit.
    assert_eq!(related[0]["location"]["range"]["start"], json!({ "line": 2, "character": 10 }));
    let lines: Vec<i64> = related.iter().map(|step| step["location"]["range"]["start"]["line"].as_i64().unwrap()).collect();
    assert!(lines.is_sorted() && lines.len() > 1, "in order: {lines:?}");
    let ended = editor.wait(|message| message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end");
    assert_eq!(ended["params"]["value"]["message"], "false(div-by-zero)");

    bench.write("my é.c", WRONG.replace("? 0", "? 1"));
    editor.save(&file);
    assert_eq!(editor.diagnostics(&file), Vec::<Value>::new());
    editor.close(&bench);
}

#[test]
fn a_finding_can_be_replayed_and_read_about() {
    let bench = Bench::new();
    let file = bench.write("a.c", WRONG);
    let mut editor = Editor::new(&bench, quick());
    let unknown = editor.execute("fathom.showProof", json!(uri(&file)));
    assert_eq!(unknown["error"]["code"], -32803, "{unknown}");
    let verdict = editor.execute("fathom.verify", json!(uri(&file)));
    assert_eq!(verdict["result"]["verdict"], "false(div-by-zero)", "{verdict}");
    let range = editor.diagnostics(&file)[0]["range"].clone();
    let actions = editor.actions(&file, &range);
    let command = |title: &str| {
        let found = actions.iter().find(|action| action["title"].as_str().unwrap().starts_with(title));
        found.unwrap_or_else(|| panic!("{title}: {actions:#?}"))["command"].clone()
    };
    for (title, begins) in [("Open the replay", "/* Build: "), ("Show the report", "div-by-zero: violated")] {
        let command = command(title);
        let answer = editor.execute(command["command"].as_str().unwrap(), command["arguments"][0].clone());
        let shown = editor.wait(|message| message["method"] == "window/showDocument");
        assert_eq!(shown["params"]["uri"], answer["result"]["uri"], "{answer}");
        let path = shown["params"]["uri"].as_str().unwrap().strip_prefix("file://").unwrap().to_string();
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(begins), "{path}");
    }
    assert_eq!(files_in(&bench.path()), ["a-div-by-zero-replay.c", "a.c"]);
    let elsewhere = editor.actions(&file, &json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } }));
    assert!(elsewhere.iter().all(|action| action["kind"] == "source"), "{elsewhere:#?}");

    bench.write("a.c", WRONG.replace("? 0", "? 1"));
    editor.save(&file);
    assert_eq!(editor.diagnostics(&file), Vec::<Value>::new());
    let actions = editor.actions(&file, &range);
    assert_eq!(actions.iter().map(|action| &action["title"]).collect::<Vec<_>>(), ["Show the proof"]);
    editor.close(&bench);
}

#[test]
fn headers_libraries_and_mistakes() {
    let bench = Bench::new();
    let header = bench.write("half.h", "static int by(int x) { return 100 / x; }\n");
    let user = bench.write("user.c", "#include \"half.h\"\nint main(void) { return by(0); }\n");
    let library = bench.write("library.c", "int twice(int x) { return 2 * x; }\n");
    let wrong = bench.write("wrong.c", "int main(void) {\n  return é;\n}\n");
    let empty = bench.write("empty.c", "\n");
    let boogie = bench.write("x.bpl", "procedure main() { var x: int; havoc x; assert x < 3; }\n");
    let mut editor = Editor::new(&bench, json!({ "engine": "explore", "native": false }));
    let severity = |told: &[Value]| told.iter().map(|one| one["severity"].as_i64().unwrap()).collect::<Vec<_>>();

    editor.open(&header);
    let told = editor.diagnostics(&header);
    assert_eq!(severity(&told), [4], "{told:#?}");
    editor.open(&user);
    let told = editor.diagnostics(&header);
    assert_eq!(severity(&told), [4, 1], "the violation is in the header: {told:#?}");
    assert_eq!(editor.diagnostics(&user), Vec::<Value>::new());
    bench.write("half.h", "static int by(int x) { return 100 / (x | 1); }\n");
    editor.save(&header);
    assert_eq!(severity(&editor.diagnostics(&header)), [4, 1], "it was saved");
    assert_eq!(severity(&editor.diagnostics(&header)), [4], "the program that includes it was verified again");

    editor.open(&library);
    let told = editor.diagnostics(&library);
    assert_eq!(severity(&told), [4], "{told:#?}");
    assert!(told[0]["message"].as_str().unwrap().contains("no function main"), "{told:#?}");
    editor.open(&wrong);
    let told = editor.diagnostics(&wrong);
    assert_eq!((severity(&told), &told[0]["range"]["start"]), (vec![1], &json!({ "line": 1, "character": 9 })), "{told:#?}");
    assert!(told[0]["message"].as_str().unwrap().contains("undeclared identifier"), "{told:#?}");
    editor.open(&boogie);
    let told = editor.diagnostics(&boogie);
    assert_eq!((&told[0]["code"], severity(&told)), (&json!("boogie-assert"), vec![1]), "{told:#?}");
    let refused = editor.execute("fathom.verify", json!(uri(&empty)));
    assert_eq!(refused["error"]["message"], "the file is empty");
    // Settings that change count for what comes next.
    let undecided =
        bench.write("open.c", "int nondet_int(void);\nint main(void) {\n  int n = 0;\n  while (nondet_int()) n++;\n  return n;\n}\n");
    let settings = json!({ "engine": "bmc", "flags": ["--unwind", "1"], "native": false });
    editor.tell("workspace/didChangeConfiguration", json!({ "settings": { "fathom": settings } }));
    editor.open(&undecided);
    let told = editor.diagnostics(&undecided);
    assert_eq!((severity(&told), &told[0]["range"]["start"]["line"]), (vec![3], &json!(0)), "{told:#?}");
    assert!(told[0]["message"].as_str().unwrap().starts_with("Not decided: "), "{told:#?}");
    // A mistake in the settings of the project is shown where it is.
    let toml = bench.write("fathom.toml", "engine = \"auto\"\nspeed = 3\n");
    editor.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri(&toml), "type": 1 }] }));
    let told = editor.diagnostics(&toml);
    assert_eq!((severity(&told), &told[0]["range"]["start"]["line"]), (vec![1], &json!(1)), "{told:#?}");
    // What is closed is not talked about.
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(&wrong) } }));
    while !editor.diagnostics(&wrong).is_empty() {}
    editor.close(&bench);
}

/// To decide this is to factor a number of 64 bits; solvers take many seconds for that.
const LONG: &str = "\
unsigned long nondet_ulong(void);
int main(void) {
  unsigned long a = nondet_ulong() & 0xffffffff, b = nondet_ulong() & 0xffffffff;
  return a > 1 && b > 1 && a * b == 9895928411726612887ul ? 1 / (int)(a - a) : 0;
}
";

#[test]
fn a_newer_save_ends_the_older_run_and_nothing_stays() {
    let bench = Bench::new();
    let file = bench.write("long.c", LONG);
    let mut editor = Editor::new(&bench, json!({ "properties": ["div-by-zero"], "engine": "bmc", "timeout": 300, "verifyOn": "save" }));
    editor.open(&file);
    editor.save(&file);
    let progress = |editor: &mut Editor, kind: &str| {
        editor.wait(|message| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind)["params"].clone()
    };
    let first = progress(&mut editor, "begin")["token"].clone();
    // Long enough for the child to have children of its own.
    std::thread::sleep(Duration::from_millis(300));
    editor.save(&file);
    let ended = progress(&mut editor, "end");
    assert_eq!((&ended["token"], &ended["value"]["message"]), (&first, &json!("cancelled")));
    let second = progress(&mut editor, "begin")["token"].clone();
    assert_ne!(first, second);
    editor.tell("window/workDoneProgress/cancel", json!({ "token": second }));
    assert_eq!(progress(&mut editor, "end")["value"]["message"], "cancelled");
    // A request can be cancelled, and hears of it.
    let id = editor.begin("workspace/executeCommand", json!({ "command": "fathom.verify", "arguments": [uri(&file)] }));
    progress(&mut editor, "begin");
    editor.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(editor.answer(id)["error"]["code"], -32800);
    progress(&mut editor, "end");
    // The server is told to end while a run goes on.
    editor.save(&file);
    progress(&mut editor, "begin");
    std::thread::sleep(Duration::from_millis(300));
    let children = descendants(editor.server.id());
    assert!(children.len() > 1, "a run is two processes at least: {children:?}");
    let start = Instant::now();
    editor.close(&bench);
    assert!(start.elapsed() < Duration::from_secs(20));
    let alive = |pid: &u32| Path::new(&format!("/proc/{pid}")).exists();
    assert!(!children.iter().any(alive), "{children:?}");
}

/// The processes that this one's threads started, and those that they started.
fn descendants(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let listed = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    let children: Vec<u32> = listed.flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>()).collect();
    children.iter().flat_map(|child| std::iter::once(*child).chain(descendants(*child))).collect()
}

#[test]
fn bad_messages_do_not_end_it_but_a_closed_pipe_does() {
    let bench = Bench::new();
    let mut editor = Editor::new(&bench, json!({ "timeout": [] }));
    let warned = editor.wait(|message| message["method"] == "window/showMessage");
    assert!(warned["params"]["message"].as_str().unwrap().contains("settings"), "{warned}");
    editor.send_raw("Content-Length: 5\r\n\r\n{{{{{");
    editor.send_raw("Content-Length: x\r\n\r\n");
    editor.tell("textDocument/didOpen", json!({ "textDocument": 5 }));
    editor.tell("textDocument/didOpen", json!({ "textDocument": { "uri": "untitled:1", "languageId": "c", "version": 1, "text": "" } }));
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": "file:///no/such/file.c" } }));
    editor.tell("$/no/such/thing", Value::Null);
    for (method, params, code) in [
        ("no/such/method", Value::Null, -32601),
        ("textDocument/codeAction", json!({ "textDocument": [] }), -32602),
        ("workspace/executeCommand", json!({ "command": "fathom.nothing" }), -32602),
        ("workspace/executeCommand", json!({ "command": "fathom.verify", "arguments": [] }), -32602),
        ("workspace/executeCommand", json!({ "command": "fathom.showProof", "arguments": [{ "program": 99 }] }), -32803),
        ("initialize", json!({}), -32600),
    ] {
        let answer = editor.ask(method, params);
        assert_eq!(answer["error"]["code"], code, "{method}: {answer}");
    }
    editor.input = None;
    assert_eq!(editor.server.wait().unwrap().code(), Some(1), "there was no shutdown");
    assert_eq!(files_in(&bench.temporary()), Vec::<String>::new());
}
