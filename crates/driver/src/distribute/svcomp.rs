//! Tasks of the software verification competition: a YAML file names the program, the properties and the data model.

use fathom_frontend_llvm::DataModel;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What such a file asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub files: Vec<PathBuf>,
    pub properties: Vec<PathBuf>,
    pub model: DataModel,
}

#[derive(Deserialize)]
struct Raw {
    input_files: Files,
    #[serde(default)]
    properties: Vec<RawProperty>,
    #[serde(default)]
    options: RawOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Files {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

#[derive(Deserialize)]
struct RawProperty {
    property_file: PathBuf,
}

#[derive(Default, Deserialize)]
struct RawOptions {
    language: Option<String>,
    data_model: Option<String>,
}

/// Whether a file is such a definition by its name.
pub(super) fn is_definition(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Reads one; paths in it begin where it lies.
pub(super) fn definition(path: &Path) -> Result<Definition, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("it can't be read: {error}"))?;
    let raw: Raw = serde_saphyr::from_str(&text).map_err(|error| format!("not a task of SV-COMP: {error}"))?;
    if let Some(language) = raw.options.language.filter(|language| language != "C") {
        return Err(format!("a program in {language}; Fathom reads C of these tasks"));
    }
    let model = match raw.options.data_model.as_deref() {
        Some("ILP32") => DataModel::Ilp32,
        Some("LP64") | None => DataModel::Lp64,
        Some(other) => return Err(format!("the data model {other}; known are ILP32 and LP64")),
    };
    let directory = path.parent().unwrap_or(Path::new(""));
    let files = match raw.input_files {
        Files::One(file) => vec![file],
        Files::Several(files) => files,
    };
    let here = |path: PathBuf| directory.join(path);
    let properties = raw.properties.into_iter().map(|property| here(property.property_file)).collect();
    Ok(Definition { files: files.into_iter().map(here).collect(), properties, model })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Definition, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.yml");
        std::fs::write(&path, text).unwrap();
        let strip = |path: &PathBuf| path.strip_prefix(directory.path()).unwrap().to_path_buf();
        definition(&path).map(|found| Definition {
            files: found.files.iter().map(strip).collect(),
            properties: found.properties.iter().map(strip).collect(),
            ..found
        })
    }

    #[test]
    fn definitions_of_tasks() {
        let text = "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p/unreach-call.prp\n    \
                    expected_verdict: true\n  - property_file: ../p/no-overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n";
        let got = read(text).unwrap();
        assert_eq!(got.files, [PathBuf::from("a.i")]);
        assert_eq!(got.properties, [PathBuf::from("../p/unreach-call.prp"), PathBuf::from("../p/no-overflow.prp")]);
        assert_eq!(got.model, DataModel::Ilp32);
        assert_eq!(read("input_files: [a.c, b.c]\n").unwrap().files.len(), 2);
        assert!(read("input_files: x\noptions:\n  language: Java\n").unwrap_err().contains("Java"));
        assert!(read("input_files: x\noptions:\n  data_model: LLP64\n").unwrap_err().contains("LLP64"));
        assert!(read("files: x\n").unwrap_err().contains("not a task"));
    }
}
