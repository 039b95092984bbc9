//! Makes texts comparable: what differs from run to run is replaced by a word for it.

use std::sync::OnceLock;

use regex::Regex;

/// Each pattern and what stands for it, in this order.
const PATTERNS: [(&str, &str); 9] = [
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID"),
    (r"sha256:[0-9a-f]{64}", "HASH"),
    (r"\b[0-9a-f]{8}\.\.\.", "ID..."),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", "TIME"),
    (r"\b\d\d:\d\d:\d\d\b", "TIME"),
    (r"\b\d+(\.\d+)? ?(ms|ns|µs|us)\b", "DURATION"),
    (r"\b(\d+h )?(\d+m )?\d+s\b", "DURATION"),
    (r"Python 3\.\d+\.\d+", "Python VERSION"),
    (r"pid \d+", "pid PID"),
];

/// A text with ids, times, durations, hashes and the home's path replaced.
pub fn plain(text: &str, home: &str) -> String {
    static COMPILED: OnceLock<Vec<(Regex, &str)>> = OnceLock::new();
    let patterns = COMPILED.get_or_init(|| {
        PATTERNS.iter().map(|&(pattern, word)| (Regex::new(pattern).unwrap(), word)).collect()
    });
    let mut text = text.replace(home, "HOME");
    for (pattern, word) in patterns {
        text = pattern.replace_all(&text, *word).into_owned();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_replaced() {
        let text = "550e8400-e29b-41d4-a716-446655440000 (550e8400...) 2026-01-05 23:30:00 \
                    took 145ms, 1m 2s, 1.25 µs in /tmp/x/work";
        let expected = "ID (ID...) TIME took DURATION, DURATION, DURATION in HOME/work";
        assert_eq!(plain(text, "/tmp/x"), expected);
    }
}
