//! A baseline: the report of an earlier scan, in JSON or SARIF. Alarms that it contains are not reported again.

use serde_json::Value;
use std::collections::BTreeSet;

/// The name under which SARIF carries our fingerprints.
pub(crate) const FINGERPRINT: &str = "fathomAlarm/v1";

/// The fingerprints in a report of `fathom scan`.
pub fn known_fingerprints(text: &str) -> Result<BTreeSet<String>, String> {
    let log: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    if let Some(findings) = log["findings"].as_array() {
        return Ok(findings.iter().filter_map(|finding| finding["fingerprint"].as_str()).map(String::from).collect());
    }
    let runs = log["runs"].as_array().ok_or("neither a report of `fathom scan` in JSON nor SARIF")?;
    let results = runs.iter().flat_map(|run| run["results"].as_array().into_iter().flatten());
    let known: BTreeSet<String> =
        results.clone().filter_map(|result| result["partialFingerprints"][FINGERPRINT].as_str()).map(String::from).collect();
    if known.is_empty() && results.count() > 0 {
        return Err(format!("its results have no fingerprints of `fathom scan` ({FINGERPRINT})"));
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let known = BTreeSet::from(["ab".to_string()]);
        assert_eq!(known_fingerprints(r#"{"findings": [{"fingerprint": "ab"}]}"#), Ok(known.clone()));
        let sarif = r#"{"runs": [{"results": [{"partialFingerprints": {"fathomAlarm/v1": "ab"}}]}]}"#;
        assert_eq!(known_fingerprints(sarif), Ok(known));
        assert!(known_fingerprints(r#"{"runs": [{"results": [{}]}]}"#).unwrap_err().contains("fingerprints"));
        assert!(known_fingerprints("[]").is_err());
    }
}
