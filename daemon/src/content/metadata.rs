//! The metadata that vosim needs from `problem.yaml`: a strict reader of `key: value` lines and
//! maps one level deep. Any other form of YAML is refused with its line rather than guessed at.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::files::ContentError;

const FILE: &str = "problem.yaml";

/// The keys of the format, version 2025-09, in which other keys are errors too.
const KEYS: [&str; 15] = [
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "version",
    "credits",
    "source",
    "license",
    "rights_owner",
    "embargo_until",
    "limits",
    "keywords",
    "languages",
    "allow_file_writing",
    "constants",
];

/// The most CPU time that a problem may grant, and what it grants where it says nothing (000).
const SECONDS_MAX: u64 = 10;

/// Licences under which a problem may be used without asking for permission.
const LICENCES: [&str; 5] = ["public domain", "cc0", "cc by", "cc by-sa", "educational"];

/// The needed part of `problem.yaml`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Metadata {
    pub(super) title: String,
    pub(super) uuid: Uuid,
    pub(super) licence: String,
    /// CPU time of a submission, milliseconds.
    pub(super) cpu_ms: u64,
}

pub(super) fn parse(text: &str) -> Result<Metadata, ContentError> {
    let values = lines(text)?;
    let get = |key: &str| {
        values
            .get(key)
            .filter(|value| !value.is_empty())
            .ok_or_else(|| ContentError::invalid(FILE, key, "is missing"))
    };
    let version = get("problem_format_version")?;
    if version != "2025-09" {
        return Err(ContentError::invalid(FILE, "problem_format_version", "must be 2025-09"));
    }
    let title = get("name.en").or_else(|_| get("name"))?.clone();
    let uuid =
        get("uuid")?.parse().map_err(|_| ContentError::invalid(FILE, "uuid", "is not a UUID"))?;
    let licence = get("license")?.clone();
    if !LICENCES.contains(&licence.as_str()) {
        let problem = format!("'{licence}' does not allow its use; one of {}", LICENCES.join(", "));
        return Err(ContentError::invalid(FILE, "license", problem));
    }
    let cpu_ms = match values.get("limits.time_limit") {
        Some(seconds) => time_limit(seconds)?,
        None => SECONDS_MAX * 1_000,
    };
    Ok(Metadata { title, uuid, licence, cpu_ms })
}

/// Whole seconds of CPU time for a submission.
fn time_limit(seconds: &str) -> Result<u64, ContentError> {
    let read = seconds.parse().ok().filter(|seconds| (1..=SECONDS_MAX).contains(seconds));
    let wrong =
        || ContentError::invalid(FILE, "limits.time_limit", "must be 1 to 10 whole seconds");
    read.map(|seconds: u64| seconds * 1_000).ok_or_else(wrong)
}

/// Reads keys with their values; a key of a map is `outer.inner`, items of lists are skipped.
fn lines(text: &str) -> Result<BTreeMap<String, String>, ContentError> {
    let mut values = BTreeMap::new();
    let mut outer = String::new();
    for (at, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        if bare.is_empty() || bare.starts_with(['#', '-']) {
            continue;
        }
        let wrong =
            |problem: &str| ContentError::invalid(FILE, format!("line {}", at + 1), problem);
        let (key, value) =
            bare.split_once(':').ok_or_else(|| wrong("is not of the form key: value"))?;
        let value = scalar(value.trim()).ok_or_else(|| wrong("has a text of several lines"))?;
        let nested = bare.len() < line.len();
        if !nested {
            if !KEYS.contains(&key) {
                return Err(wrong(&format!("'{key}' is not a key of the format")));
            }
            key.clone_into(&mut outer);
        }
        let name = if nested { format!("{outer}.{key}") } else { key.to_owned() };
        if values.insert(name, value).is_some() {
            return Err(wrong(&format!("'{key}' occurs twice")));
        }
    }
    Ok(values)
}

/// Returns a value on one line, without quotes and comment.
fn scalar(value: &str) -> Option<String> {
    if value.starts_with(['|', '>', '&', '*']) {
        return None;
    }
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote) {
            return rest.split(quote).next().map(str::to_owned);
        }
    }
    Some(value.split(" #").next().unwrap_or(value).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "problem_format_version: 2025-09\nname: \"A: b\"  # said so\n\
                        uuid: 57fe9903-35a7-4de1-b68f-74385c49f613\nlicense: cc by-sa\n\
                        limits:\n  memory: 512\nkeywords:\n- a\n";

    #[test]
    fn the_few_keys_are_found_among_the_others() {
        let metadata = parse(GOOD).unwrap();
        assert_eq!(metadata.title, "A: b");
        assert_eq!(metadata.licence, "cc by-sa");
        assert_eq!(metadata.cpu_ms, 10_000);
    }

    #[test]
    fn a_name_may_be_given_by_language() {
        let text = GOOD.replace("name: \"A: b\"", "name:\n  de: Zeh\n  en: See");
        assert_eq!(parse(&text).unwrap().title, "See");
    }

    #[test]
    fn each_mistake_names_its_key_or_line() {
        for (from, to, error) in [
            ("2025-09", "legacy", "problem.yaml: problem_format_version: must be 2025-09"),
            ("uuid: 5", "uuid: x", "problem.yaml: uuid: is not a UUID"),
            (
                "memory: 512",
                "time_limit: 11",
                "problem.yaml: limits.time_limit: must be 1 to 10 whole seconds",
            ),
            ("limits:", "limit:", "problem.yaml: line 5: 'limit' is not a key of the format"),
            ("limits:", "name: again", "problem.yaml: line 5: 'name' occurs twice"),
            ("limits:", "limits", "problem.yaml: line 5: is not of the form key: value"),
            ("limits:", "version: |", "problem.yaml: line 5: has a text of several lines"),
            ("name: \"A: b\"", "", "problem.yaml: name: is missing"),
        ] {
            let text = GOOD.replacen(from, to, 1);
            assert_eq!(parse(&text).unwrap_err().to_string(), error, "{to}");
        }
    }

    #[test]
    fn a_licence_that_forbids_use_is_refused() {
        for licence in ["unknown", "permission", "all rights reserved"] {
            let error = parse(&GOOD.replace("cc by-sa", licence)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("problem.yaml: license: '{licence}'")), "{error}");
        }
    }
}
