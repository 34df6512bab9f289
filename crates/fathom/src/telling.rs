//! Prints the result of a run. Standard output gets the report in the requested formats, and the verdict line; if a
//! format is a whole document (JSON, SARIF, JUnit XML, HTML), standard output has nothing else, and the verdict line
//! goes to standard error. A run without an answer is reported in the same formats, whether the command-line parser,
//! the working child or the supervising parent notices it.

use crate::args::VerifyArgs;
use crate::colour;
use crate::ending::Ending;
use crate::format::FormatArg;
use fathom_driver::{Error, ErrorKind, ErrorReport, Format, Palette, Report, RunInfo, TextOptions, Width, write_whole};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

/// Where the reports of a run go, and in which forms.
#[derive(Clone, Debug)]
pub struct Telling {
    /// What the last line begins with.
    label: &'static str,
    printed: Vec<Format>,
    written: Vec<(Format, PathBuf)>,
    text: TextOptions,
    /// The files of the program, for reports of runs that came to no answer.
    inputs: Vec<String>,
}

impl Telling {
    /// Text and a last line with this label.
    pub fn plain(label: &'static str) -> Self {
        Self { label, printed: vec![Format::Text], written: Vec::new(), text: TextOptions::default(), inputs: Vec::new() }
    }

    /// What the flags ask for; `annotate` if a log of GitHub Actions reads along.
    pub fn new(label: &'static str, args: &VerifyArgs, annotate: bool) -> Result<Self, String> {
        let text = TextOptions { statistics: args.stats, full_trace: args.full_trace, explain: args.explain, width: Width::default() };
        let mut telling = Self { text, printed: Vec::new(), ..Self::plain(label) };
        telling.inputs = args.input.files.iter().map(|file| file.display().to_string()).collect();
        let json = args.json.then_some(FormatArg { form: Format::Json, file: None });
        for FormatArg { form, file } in args.format.iter().cloned().chain(json) {
            match file {
                Some(file) => telling.written.push((form, file)),
                None if telling.printed.contains(&form) => {}
                None => telling.printed.push(form),
            }
        }
        if telling.printed.is_empty() {
            telling.printed.push(Format::Text);
            telling.printed.extend((args.ci && annotate).then_some(Format::Github));
        }
        match telling.printed.len() > 1 && telling.is_document() {
            true => Err("--format: a document takes the whole of standard output; give the others a file, as in sarif=FILE".into()),
            false => Ok(telling),
        }
    }

    /// What a command line that could not be read asks for, as far as one can see.
    pub fn guess(label: &'static str, arguments: &[OsString]) -> Self {
        let words: Vec<&str> = arguments.iter().map_while(|word| word.to_str().filter(|word| *word != "--" && *word != "--args")).collect();
        let named = words.windows(2).filter(|pair| pair[0] == "--format").map(|pair| pair[1]);
        let glued = words.iter().filter_map(|word| word.strip_prefix("--format="));
        let json = words.iter().filter(|word| **word == "--json").map(|_| "json");
        let form = named.chain(glued).chain(json).filter_map(|name| name.parse().ok()).find(|form: &Format| form.is_document());
        Self { printed: vec![form.unwrap_or(Format::Text)], ..Self::plain(label) }
    }

    fn is_document(&self) -> bool {
        self.printed.iter().any(|form| form.is_document())
    }

    /// Whether standard output is to be JSON.
    pub fn is_json(&self) -> bool {
        self.printed.contains(&Format::Json)
    }

    /// An error for a command whose answers have only text and JSON.
    pub fn only_text_and_json(self) -> Result<Self, String> {
        let plain = self.written.is_empty() && self.printed.iter().all(|form| matches!(form, Format::Text | Format::Json));
        if plain { Ok(self) } else { Err("--format: the report on a suite can be text or json only, on standard output".into()) }
    }

    /// Whether a page is among the forms.
    pub fn has_page(&self) -> bool {
        self.printed.iter().chain(self.written.iter().map(|(form, _)| form)).any(|form| *form == Format::Html)
    }

    /// The files that reports are written to.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.written.iter().map(|(_, file)| file)
    }

    /// Writes the files that were asked for, and prints the report with its remarks and the last line.
    pub fn answer(&self, report: &Report, remarks: &[String]) {
        let unwritten = self.write(report).filter(|remark| !remarks.iter().any(|known| known == remark));
        let remarks: String = remarks.iter().map(String::as_str).chain(unwritten).map(|remark| format!("{remark}\n")).collect();
        let mut body = self.rendered(report);
        if self.is_document() {
            colour::say(&remarks);
        } else {
            body += &remarks;
        }
        self.print(&body, &report.verdict);
    }

    /// Tells that there is no answer: the message on standard error, the reason in the last line.
    pub fn no_answer(&self, ending: Ending, message: &str, reason: &str) {
        if !message.is_empty() {
            colour::say(message);
        }
        self.failed(ErrorKind::from(ending), message, reason);
    }

    /// Reports an error of the library.
    pub fn error(&self, error: &Error, message: &str) {
        colour::say(message);
        let entries = if let Error::NoEntry { defined, .. } = error { Some(defined.clone()) } else { None };
        self.tell_failure(ErrorReport { entries, ..ErrorReport::new(Ending::from(error).into(), message) }, &error.reason());
    }

    /// The same for a kind of error of its own, and when the message was said already.
    pub fn failed(&self, kind: ErrorKind, message: &str, reason: &str) {
        self.tell_failure(ErrorReport::new(kind, message), reason);
    }

    fn tell_failure(&self, error: ErrorReport, reason: &str) {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = error.message.trim_end();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let message = if message.is_empty() { reason.clone() } else { message.to_string() };
        let (tool, version) = ("fathom".to_string(), env!("CARGO_PKG_VERSION").to_string());
        let run = RunInfo { tool, version, files: self.inputs.clone(), ..RunInfo::default() };
        let report = Report::without_answer(run, &reason, ErrorReport { message, ..error });
        let _ = self.write(&report);
        let told = self.printed.iter().filter(|form| **form != Format::Text);
        let body: String = told.map(|form| fathom_driver::render(&report, *form, TextOptions::default())).collect();
        self.print(&body, &report.verdict);
    }

    fn rendered(&self, report: &Report) -> String {
        // A terminal may be narrower, or wider, than what readers of files have.
        let width = console::Term::stdout().size_checked().map_or(self.text.width, |(_, columns)| Width(columns.into()));
        let text = TextOptions { width, ..self.text };
        let one = |form: &Format| match form {
            Format::Text if colour::on_output() => fathom_driver::render_styled(report, text, &Palette::COLOURS),
            form => fathom_driver::render(report, *form, text),
        };
        self.printed.iter().map(one).collect()
    }

    /// Writes what goes into files; what could not be written is said on standard error, and remarked.
    fn write(&self, report: &Report) -> Option<&'static str> {
        let mut remark = None;
        for (form, file) in &self.written {
            if let Err(why) = write_whole(file, fathom_driver::render(report, *form, self.text)) {
                colour::say(&format!("error: {why}"));
                remark = Some("The report could not be written.");
            }
        }
        remark
    }

    /// A document of a command whose forms are its own: standard output gets it alone, standard error the last line.
    pub fn print_document(&self, body: &str, line: &str) {
        Self { printed: vec![Format::Json], ..self.clone() }.print(body, line);
    }

    /// The body on standard output, and the last line there or, beside a document, on standard error. A reader who has gone
    /// away is no reason to fail; where there is no room for the output, standard error tells at least the last line.
    pub fn print(&self, body: &str, line: &str) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let last = match !self.is_document() && colour::on_output() {
            true => format!("{} {}\n", self.label, colour::painted_verdict(self.label, &line)),
            false => format!("{} {line}\n", self.label),
        };
        let text = if self.is_document() { body.to_string() } else { format!("{body}{last}") };
        let mut out = io::stdout().lock();
        let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        let failed = printed.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
        if let Some(error) = &failed {
            colour::say(&format!("error: standard output can't be written to: {error}"));
        }
        if failed.is_some() || self.is_document() {
            colour::say(&format!("{} {line}", self.label));
        }
    }
}
