//! Suggestions for misspelt names.

/// The known name nearest to a misspelt one, if it is near: about one slip in three letters, swapped ones among them.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wanted.chars().count() / 3).max(1);
    let wanted = wanted.to_lowercase();
    let near = known.into_iter().map(|name| (strsim::osa_distance(&wanted, &name.to_lowercase()), name));
    near.filter(|(distance, _)| *distance <= limit).min().map(|(_, name)| name)
}

/// The question to be put behind a name that nobody knows; nothing if no known name is near.
pub fn did_you_mean<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(wanted, known).map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name() {
        let known = ["main", "helper", "bmc"];
        assert_eq!(nearest("helpr", known), Some("helper"));
        assert_eq!(nearest("Main", known), Some("main"));
        assert_eq!(nearest("bcm", known), Some("bmc"));
        assert_eq!(nearest("unrelated", known), None);
        assert_eq!(did_you_mean("mian", known), " (did you mean `main`?)");
        assert_eq!(did_you_mean("unrelated", known), "");
    }
}
