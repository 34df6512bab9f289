//! Validates a witness: its claims are added to a copy of the program (`fathom_witness::instrument`), and that program
//! is verified. If a claim is wrong, the added check is violated; this is reported about the witness, not about the
//! program.

use crate::answer::Verified;
use crate::config::VerifyConfig;
use crate::error::Error;
use crate::properties;
use crate::session::Session;
use crate::verify::verify;
use fathom_base::sha256;
use fathom_ir::Property;
use fathom_machine::SeedInputs;
use fathom_native as native;
use fathom_report::{Answered, PlaceReport, PropertyReport, Report, UnknownKind, WitnessReport, WitnessStatus, overall};
use fathom_witness::{Claims, Instrumented, WaypointKind, Witness};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Decides the properties with what a witness claims: follows the run of a violation witness, or proves and uses the
/// invariants of a correctness witness.
pub fn validate(config: &VerifyConfig, path: &Path, session: &Session) -> Result<Verified, Error> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| Error::bad_file(format!("{shown} can't be read: {error}")))?;
    let witness = fathom_witness::read(&shown.to_string(), &text).map_err(Error::bad_file)?;
    let directory = tempfile::tempdir().map_err(|error| Error::bad_file(format!("no temporary directory can be made: {error}")))?;
    let mut check = Check { witness: &witness, copies: BTreeMap::new(), notes: Vec::new() };
    let mut copy = check.prepare(config, directory.path())?;
    let wanted = properties::wanted(&config.properties, &config.checks).map_err(Error::Usage)?;
    let is_correctness = matches!(witness.claims, Claims::Correctness(_));
    // The assertions that were put in are asked about as well.
    let added = is_correctness && !wanted.properties.contains(&Property::Assertion);
    if added {
        copy.properties.push(Property::Assertion.name().into());
    }
    let mut verified = verify(&copy, session)?;
    verified.report.run.files = config.input.files.iter().map(|file| file.display().to_string()).collect();
    let (status, not_confirmed) = check.judge(&mut verified.report, added);
    let kind = if is_correctness { "correctness" } else { "violation" };
    let notes = std::mem::take(&mut check.notes);
    let word = match status {
        WitnessStatus::Confirmed => "confirmed",
        WitnessStatus::Refuted => "refuted",
        WitnessStatus::Open => "neither confirmed nor refuted",
    };
    verified.remarks.push(format!("The {kind} witness {shown} is {word}."));
    verified.remarks.extend(notes.iter().map(|note| format!("  {note}")));
    if let Some(reason) = not_confirmed {
        verified.report.verdict = format!("unknown({reason})");
    }
    verified.report.witness = Some(WitnessReport { file: shown.to_string(), kind: kind.into(), status, notes });
    Ok(verified)
}

struct Check<'a> {
    witness: &'a Witness,
    /// What was made of each source file, by the name that places have.
    copies: BTreeMap<String, Instrumented>,
    notes: Vec<String>,
}

impl Check<'_> {
    /// The question about copies of the files with the claims in them.
    fn prepare(&mut self, config: &VerifyConfig, directory: &Path) -> Result<VerifyConfig, Error> {
        let mut copy = config.clone();
        let (mut inputs, mut hashes) = (Vec::new(), Vec::new());
        for (number, file) in copy.input.files.iter_mut().enumerate() {
            let is_c = file.extension().is_some_and(|extension| extension == "c" || extension == "i");
            if !is_c {
                return Err(Error::Usage(format!("--witness: {} is no C source, and witnesses are about C programs", file.display())));
            }
            let name = file.display().to_string();
            let text = std::fs::read_to_string(&*file).map_err(|error| Error::bad_file(format!("{name} can't be read: {error}")))?;
            hashes.push(sha256(&text));
            inputs.extend(fathom_witness::inputs(self.witness, &name, &text));
            let done = fathom_witness::instrument(self.witness, &name, &text).map_err(Error::bad_file)?;
            let place = directory.join(number.to_string());
            let path = place.join(file.file_name().unwrap_or_default());
            let written = std::fs::create_dir(&place).and_then(|()| std::fs::write(&path, &done.text));
            written.map_err(|error| Error::bad_file(format!("{} can't be written: {error}", path.display())))?;
            self.notes.extend(done.left_out.iter().cloned());
            let beside =
                file.parent().filter(|parent| !parent.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_path_buf);
            let beside = std::path::absolute(&beside).unwrap_or(beside);
            copy.input.clang_args.extend(["-iquote".to_string(), beside.display().to_string()]);
            self.copies.insert(name, done);
            *file = path;
        }
        self.all_can_be_followed()?;
        let claimed = &self.witness.task.files;
        if claimed.iter().any(|(_, hash)| !hash.is_empty() && !hashes.contains(hash)) {
            self.notes.push("it was made for another program: the hash of the file differs".into());
        }
        if !inputs.is_empty() {
            copy.explore.start_with = Some(seeds(inputs, copy.input.pointer_bits()));
        }
        Ok(copy)
    }

    /// An error if a waypoint could not be put in: no run would get past it.
    fn all_can_be_followed(&self) -> Result<(), Error> {
        let Claims::Violation(segments) = &self.witness.claims else { return Ok(()) };
        let wanted = segments.iter().flatten().filter(|waypoint| waypoint.kind != WaypointKind::Target).count();
        if self.copies.values().map(|copy| copy.claims).sum::<usize>() >= wanted {
            return Ok(());
        }
        let why = self.notes.first().cloned().unwrap_or_else(|| "it is about another file".into());
        Err(Error::Failed {
            message: format!("the witness can't be followed: {why}"),
            reason: format!("the witness can't be followed: {why}"),
        })
    }

    /// What a place is in the user's file; false if it is in something that was put in.
    fn restore(&self, place: &mut PlaceReport) -> bool {
        let Some(file) = &place.file else { return true };
        let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_string();
        let Some((_, copy)) = self.copies.iter().find(|(name, _)| *name == file || last(name) == last(file)) else { return true };
        match copy.column(place.line, place.column) {
            Some(column) => place.column = column,
            None => return false,
        }
        true
    }

    /// What became of the witness, and the reason in the verdict if what was decided of the program does not confirm it. Whatever the
    /// report says of what was put in is taken out of it.
    fn judge(&mut self, report: &mut Report, added: bool) -> (WitnessStatus, Option<String>) {
        let mut refuted = None;
        let mut properties = std::mem::take(&mut report.properties);
        for property in &mut properties {
            let Some(violation) = &mut property.violation else { continue };
            let is_own = self.restore(&mut violation.place);
            violation.inputs.iter_mut().for_each(|input| {
                self.restore(&mut input.place);
            });
            if is_own {
                continue;
            }
            let message = format!("{} (line {})", violation.message, violation.place.line);
            let inputs: Vec<String> = violation.inputs.iter().map(|input| format!("{}() = {}", input.source, input.value)).collect();
            self.notes.push(format!("{message}, with {}", if inputs.is_empty() { "no input".into() } else { inputs.join(", ") }));
            refuted.get_or_insert_with(|| format!("the witness does not hold: {message}"));
            *property = open(property, "a claim of the witness does not hold");
        }
        // A run ends where an invariant does not hold, or does not follow the witness: what was proved of that program holds of the
        // original only if every invariant was proved as well.
        let is_assertion = |property: &PropertyReport| property.property == Property::Assertion.name();
        let invariants_hold = properties.iter().any(|property| is_assertion(property) && property.holds());
        let is_correctness = matches!(self.witness.claims, Claims::Correctness(_));
        let held: BTreeSet<String> =
            properties.iter().filter(|property| property.holds()).map(|property| property.property.clone()).collect();
        if !(is_correctness && invariants_hold) {
            let why = if is_correctness { "not all invariants of the witness were proved" } else { NO_RUN };
            properties.iter_mut().filter(|property| held.contains(&property.property)).for_each(|property| *property = open(property, why));
        }
        properties.retain(|property| !(added && is_assertion(property)));
        report.verdict = overall(&properties);
        let is_violated = properties.iter().any(|property| property.violation.is_some());
        let all_held = !properties.is_empty() && properties.iter().all(|property| held.contains(&property.property));
        report.properties = properties;
        let status = match &self.witness.claims {
            _ if refuted.is_some() => return (WitnessStatus::Refuted, refuted),
            Claims::Correctness(invariants) if invariants_hold && all_held => {
                let count = self.copies.values().map(|copy| copy.claims).sum::<usize>();
                self.notes.push(format!("{count} invariants were proved, and the properties with them"));
                match invariants.len().saturating_sub(count) {
                    0 => WitnessStatus::Confirmed,
                    missing => {
                        let reason = format!("the witness is not confirmed: {missing} of its invariants could not be checked");
                        return (WitnessStatus::Open, Some(reason));
                    }
                }
            }
            Claims::Correctness(_) if is_violated => WitnessStatus::Refuted,
            Claims::Violation(_) if all_held => return (WitnessStatus::Refuted, Some(NO_RUN.into())),
            Claims::Violation(segments) if is_violated => {
                let target = segments.iter().flatten().next_back().map(|waypoint| waypoint.location.line);
                let seen = report.properties.iter().find_map(|property| property.violation.as_ref()).map(|violation| violation.place.line);
                match target {
                    Some(line) if Some(line) != seen && self.has_target() => {
                        let reason = format!("the witness is not confirmed: there is a violation, but not in line {line}");
                        return (WitnessStatus::Open, Some(reason));
                    }
                    _ => WitnessStatus::Confirmed,
                }
            }
            _ => WitnessStatus::Open,
        };
        (status, None)
    }

    fn has_target(&self) -> bool {
        let Claims::Violation(segments) = &self.witness.claims else { return false };
        segments.iter().flatten().any(|waypoint| waypoint.kind == WaypointKind::Target)
    }
}

/// Said of a property that no run along a violation witness violates.
const NO_RUN: &str = "the witness does not hold: no run that follows it violates anything";

/// Turns a report on a property into one that leaves it open.
fn open(property: &PropertyReport, why: &str) -> PropertyReport {
    let mut open = property.clone();
    (open.verdict, open.reason, open.unknown) = (Answered::Unknown, Some(why.into()), Some(UnknownKind::Other));
    (open.engine, open.assurance, open.violation, open.nothing_to_check) = (None, None, None, false);
    open.certificates.clear();
    open
}

/// The bytes of inputs; one that can't be read ends the list, and the rest is left to the search.
fn seeds(inputs: Vec<(String, String)>, pointer_bits: u32) -> SeedInputs {
    let bytes = |(function, value): (String, String)| {
        let type_name = native::c_type_of(&function).unwrap_or_default();
        fathom_suite::parse_value(&value, type_name, pointer_bits).ok().map(|bytes| (function, bytes))
    };
    inputs.into_iter().map_while(bytes).collect()
}
