//! Durations and sizes on the command line: `60s`, `5m`, `500ms`, `4G`, `512M`.

use std::time::Duration;

/// Reads a time such as `90s` or `5m`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let value: f64 = number.parse().map_err(|_| format!("`{text}` is not a time; write 60s, 500ms, 5m or 1h"))?;
    let seconds = match unit {
        "" | "s" | "sec" => value,
        "ms" => value / 1000.0,
        "m" | "min" => value * 60.0,
        "h" => value * 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| format!("`{text}` is out of range; the limit must be positive"))
}

/// Reads an amount of memory such as `2G`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let value: f64 = number.parse().map_err(|_| format!("`{text}` is not a size; write 4G, 512M or 1048576"))?;
    let factor: f64 = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 1.0,
        "k" | "K" => 1024.0,
        "m" | "M" => 1024.0 * 1024.0,
        "g" | "G" => 1024.0 * 1024.0 * 1024.0,
        "t" | "T" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{unit}` is not a unit of memory; use K, M, G or T")),
    };
    let total = value * factor;
    let smallest = 16.0 * 1024.0 * 1024.0;
    if !(smallest..1e18).contains(&total) {
        return Err(format!("`{text}` is out of range; the limit must be at least 16M"));
    }
    Ok(total as u64)
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    (text[..end].trim(), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("60"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        for bad in ["", "s", "-1s", "0", "5x", "1e400s", "nan"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("512MB"), Ok(512 << 20));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert_eq!(bytes("33554432"), Ok(32 << 20));
        for bad in ["", "G", "-4G", "1", "4X", "nanG"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}
