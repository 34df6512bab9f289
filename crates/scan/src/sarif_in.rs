//! SARIF 2.1.0 as other tools write it. Only what an alarm needs is read, and all of it is optional: rule, message,
//! first location and first code flow. Results that are no faults according to the tool (kinds other than `fail` and
//! `open`, suppressed ones) are ignored.

use crate::alarm::{Alarm, FlowStep, Place};
use crate::rules::class_of;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::path::{Component, Path, PathBuf};

/// The alarms of a log. Relative file names are relative to `base`, unless the log says what they are relative to.
pub fn read_sarif(text: &str, base: &Path) -> Result<Vec<Alarm>, String> {
    let log: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let version = log["version"].as_str().ok_or("not SARIF: it has no `version`")?;
    if version != "2.1.0" {
        return Err(format!("SARIF {version}; 2.1.0 is what can be read"));
    }
    let runs = log["runs"].as_array().ok_or("not SARIF: it has no `runs`")?;
    let mut alarms = Vec::new();
    for run in runs {
        let tool = run["tool"]["driver"]["name"].as_str().unwrap_or("unknown tool");
        let reader = Reader { run, base };
        for result in run["results"].as_array().into_iter().flatten() {
            alarms.extend(reader.alarm(tool, result));
        }
    }
    Ok(alarms)
}

struct Reader<'a> {
    run: &'a Value,
    base: &'a Path,
}

impl Reader<'_> {
    fn alarm(&self, tool: &str, result: &Value) -> Option<Alarm> {
        let kind = result["kind"].as_str().unwrap_or("fail");
        let is_suppressed = result["suppressions"].as_array().is_some_and(|list| !list.is_empty());
        if !matches!(kind, "fail" | "open" | "review") || is_suppressed {
            return None;
        }
        let location = result["locations"].get(0)?;
        let (place, _) = self.place(location)?;
        let rule = self.rule(result);
        let message = self.message(&result["message"], &rule);
        let locations = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
        let flow = locations.into_iter().flatten().filter_map(|step| self.step(&step["location"])).collect();
        let named = location["logicalLocations"].get(0).or_else(|| result["logicalLocations"].get(0));
        let function = named.and_then(|named| named["name"].as_str().or_else(|| named["fullyQualifiedName"].as_str()));
        let class = class_of(&rule, &message);
        Some(Alarm { tool: tool.into(), rule, class, place, function: function.map(String::from), message, flow })
    }

    fn rule(&self, result: &Value) -> String {
        let rules = &self.run["tool"]["driver"]["rules"];
        let index = result["ruleIndex"].as_u64().or_else(|| result["rule"]["index"].as_u64());
        let listed = || index.and_then(|index| rules.get(index as usize)).and_then(|rule| rule["id"].as_str());
        let own = result["ruleId"].as_str().or_else(|| result["rule"]["id"].as_str());
        own.or_else(listed).unwrap_or("unnamed").to_string()
    }

    /// The text, or that of the rule which the message is called by.
    fn message(&self, message: &Value, rule: &str) -> String {
        if let Some(text) = message["text"].as_str() {
            return text.to_string();
        }
        let rules = self.run["tool"]["driver"]["rules"].as_array();
        let known = rules.into_iter().flatten().find(|known| known["id"].as_str() == Some(rule));
        let strings = known.map(|known| &known["messageStrings"][message["id"].as_str().unwrap_or("default")]["text"]);
        strings.and_then(Value::as_str).unwrap_or(rule).to_string()
    }

    fn step(&self, location: &Value) -> Option<FlowStep> {
        let (place, end) = self.place(location)?;
        Some(FlowStep { place, end, message: location["message"]["text"].as_str().unwrap_or_default().to_string() })
    }

    /// A position and the end of its region.
    fn place(&self, location: &Value) -> Option<(Place, (u32, u32))> {
        let physical = &location["physicalLocation"];
        let artifact = &physical["artifactLocation"];
        let index = artifact["index"].as_u64().map(|index| &self.run["artifacts"][index as usize]["location"]);
        let uri = artifact["uri"].as_str().or_else(|| index.and_then(|listed| listed["uri"].as_str()))?;
        let base = artifact["uriBaseId"].as_str().and_then(|id| self.run["originalUriBaseIds"][id]["uri"].as_str());
        let number = |name: &str| physical["region"][name].as_u64().and_then(|number| u32::try_from(number).ok());
        let (line, column) = (number("startLine").unwrap_or(0), number("startColumn").unwrap_or(0));
        let end = (number("endLine").unwrap_or(line), number("endColumn").unwrap_or(column));
        let file = self.path(uri, base).display().to_string();
        Some((Place { file, line, column }, end))
    }

    fn path(&self, uri: &str, base: Option<&str>) -> PathBuf {
        let plain = |uri: &str| PathBuf::from(percent_decode_str(uri.strip_prefix("file://").unwrap_or(uri)).decode_utf8_lossy().as_ref());
        let under = base.map_or_else(PathBuf::new, plain);
        let whole = self.base.join(under).join(plain(uri));
        whole.canonicalize().unwrap_or_else(|_| without_dots(&whole))
    }
}

/// A path without `.` and `..`, for files that are not there.
fn without_dots(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t", "rules": [{"id": "null-dereference"}]}},
        "originalUriBaseIds": {"ROOT": {"uri": "file:///src/"}},
        "results": [
          {"ruleIndex": 0, "message": {"text": "bad"}, "locations": [{"physicalLocation": {
             "artifactLocation": {"uri": "a%20b/../x.c", "uriBaseId": "ROOT"}, "region": {"startLine": 3, "startColumn": 5}},
             "logicalLocations": [{"name": "f"}]}],
           "codeFlows": [{"threadFlows": [{"locations": [{"location": {"message": {"text": "here"}, "physicalLocation": {
             "artifactLocation": {"uri": "file:///src/x.c"}, "region": {"startLine": 2}}}}]}]}]},
          {"ruleId": "r", "kind": "pass", "message": {"text": "fine"}, "locations": []},
          {"ruleId": "r", "message": {"text": "nowhere"}}]}]}"#;

    #[test]
    fn what_an_alarm_needs_is_read() {
        let alarms = read_sarif(LOG, Path::new("/elsewhere")).unwrap();
        assert_eq!(alarms.len(), 1);
        let alarm = &alarms[0];
        assert_eq!((alarm.rule.as_str(), alarm.function.as_deref()), ("null-dereference", Some("f")));
        assert_eq!(alarm.place, Place { file: "/src/x.c".into(), line: 3, column: 5 });
        assert_eq!(alarm.flow.len(), 1);
        assert_eq!(alarm.flow[0].end, (2, 0));
    }

    #[test]
    fn what_is_no_sarif_is_said() {
        let read = |text: &str| read_sarif(text, Path::new("/")).unwrap_err();
        assert!(read("{").contains("not JSON"));
        assert!(read("{}").contains("version"));
        assert!(read(r#"{"version": "2.0.0", "runs": []}"#).contains("2.0.0"));
        assert!(read(r#"{"version": "2.1.0"}"#).contains("runs"));
    }
}
