//! The settings of an editor. Only settings that are present become flags of a run; for everything else, the project's
//! fathom.toml and the defaults of `fathom verify` apply.

use serde::Deserialize;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;

/// When a document is verified.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum VerifyOn {
    /// When it is opened and when it is saved.
    #[default]
    OpenAndSave,
    /// When it is saved.
    Save,
    /// When the command says so.
    Command,
}

/// The settings, as `initializationOptions` or the section `fathom` of the configuration have them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// When to verify.
    pub verify_on: VerifyOn,
    timeout: Option<Amount>,
    memory: Option<Amount>,
    properties: Option<Vec<String>>,
    engine: Option<String>,
    /// Whether violations are replayed natively; that compiles and runs the program.
    native: Option<bool>,
    flags: Option<Vec<String>>,
    program: Option<Vec<String>>,
}

/// `"30s"`, or seconds or bytes as a number.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Amount {
    Number(u64),
    Text(String),
}

impl Settings {
    /// The settings in a JSON value; `null` is none.
    pub fn read(value: &Value) -> Result<Self, String> {
        Option::<Self>::deserialize(value).map(Option::unwrap_or_default).map_err(|error| error.to_string())
    }

    /// The files or flags that make the program, if it is always the same one.
    pub fn program(&self) -> Option<&[String]> {
        self.program.as_deref().filter(|program| !program.is_empty())
    }

    /// The words behind `fathom` that verify a file, or the program that was set. What the user adds comes last: one of
    /// Fathom's flags takes everything that follows.
    pub fn arguments(&self, file: &Path, out: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["verify".into()];
        match self.program() {
            Some(program) => words.extend(program.iter().map(OsString::from)),
            None => words.push(file.into()),
        }
        words.extend(["--ci", "--format", "json", "--out"].map(OsString::from));
        words.push(out.into());
        let mut set = |flag: &str, value: Option<String>| {
            words.extend(value.filter(|value| !value.is_empty()).into_iter().flat_map(|value| [flag.into(), value.into()]));
        };
        set("--timeout", self.timeout.as_ref().map(|time| time.text("s")));
        set("--memory", self.memory.as_ref().map(|size| size.text("")));
        set("--property", self.properties.as_ref().map(|names| names.join(",")));
        set("--engine", self.engine.clone());
        words.extend((self.native == Some(false)).then(|| "--no-native".into()));
        words.extend(self.flags.iter().flatten().map(OsString::from));
        words
    }
}

impl Amount {
    fn text(&self, unit: &str) -> String {
        match self {
            Amount::Number(number) => format!("{number}{unit}"),
            Amount::Text(text) => text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn words(value: &Value) -> String {
        let words = Settings::read(value).unwrap().arguments(Path::new("/p/a.c"), Path::new("/t"));
        words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_what_is_set_becomes_a_flag() {
        let plain = "verify /p/a.c --ci --format json --out /t";
        assert_eq!(words(&Value::Null), plain);
        assert_eq!(words(&json!({})), plain);
        assert_eq!(words(&json!({ "timeout": "", "properties": [], "engine": null, "program": [], "native": true, "other": 1 })), plain);
        let set = json!({ "timeout": 5, "memory": "1G", "properties": ["no-overflow", "bounds"], "engine": "bmc", "native": false,
            "flags": ["-Iinc", "--args", "x"] });
        let flags = "--timeout 5s --memory 1G --property no-overflow,bounds --engine bmc --no-native -Iinc --args x";
        assert_eq!(words(&set), format!("{plain} {flags}"));
        let program = json!({ "program": ["--compile-commands", "build"] });
        assert_eq!(words(&program), "verify --compile-commands build --ci --format json --out /t");
    }

    #[test]
    fn the_extension_has_these_settings_and_its_defaults_set_nothing() {
        let manifest: Value = serde_json::from_str(include_str!("../../../editors/vscode/package.json")).unwrap();
        let properties = manifest["contributes"]["configuration"]["properties"].as_object().unwrap();
        let named = properties.iter().map(|(name, about)| (name.strip_prefix("fathom.").unwrap(), about));
        let named: Vec<(&str, &Value)> = named.filter(|(name, _)| *name != "path").collect();
        let defaults: Value = named.iter().map(|(name, about)| (name.to_string(), about["default"].clone())).collect();
        assert_eq!(words(&defaults), words(&Value::Null));
        for (name, about) in &named {
            assert!(Settings::read(&json!({ *name: {} })).is_err(), "{name} is no setting of the server");
            for value in about["enum"].as_array().into_iter().flatten() {
                assert!(Settings::read(&json!({ *name: value })).is_ok(), "{name}: {value}");
            }
        }
        assert_eq!(named.len(), 8, "a setting of the server is missing, or this number is old");
    }

    #[test]
    fn mistakes_are_told() {
        assert!(Settings::read(&json!({ "timeout": [] })).is_err());
        assert!(Settings::read(&json!({ "verifyOn": "always" })).unwrap_err().contains("always"));
        assert_eq!(Settings::read(&json!({ "verifyOn": "command" })).unwrap().verify_on, VerifyOn::Command);
    }
}
