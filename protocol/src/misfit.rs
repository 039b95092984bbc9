//! Why a value on the wire is not of the wanted type, in words of people.
//!
//! The library that reads values names the types of programs and no place. Here a value is read, and
//! where it does not fit it is said which part does not, what is expected there and what was given.

use crate::wire::{Json, Wire, WireError};

/// How often a value is read again, at most, to find the part that does not fit.
const TRIES_MAX: usize = 64;

/// Largest value, spelled, in which that part is looked for.
const LOOKED_AT_MAX_BYTES: usize = 64 * 1024;

/// Reads a value.
///
/// # Errors
/// A sentence on what does not fit, with its place.
pub fn read<T: Wire>(json: &Json) -> Result<T, String> {
    T::deserialize(json).map_err(|error| match place::<T>(json, &error) {
        Some(place) => format!("`{place}`: {}", words(&error)),
        None => words(&error),
    })
}

/// Reads the bytes of one JSON text.
///
/// # Errors
/// A sentence on what does not fit, with its place.
pub fn read_bytes<T: Wire>(bytes: &[u8]) -> Result<T, String> {
    T::from_bytes(bytes).map_err(|error| match Json::from_bytes(bytes) {
        Ok(json) => read::<T>(&json).err().unwrap_or_else(|| words(&error)),
        Err(no_json) => words(&no_json),
    })
}

/// What an error says, without the types of programs.
pub fn words(error: &WireError) -> String {
    if error.is_syntax() || error.is_eof() {
        return match (error.line(), error.column()) {
            (0 | 1, byte) => format!("it is no valid JSON, from its byte {byte} on"),
            (line, byte) => format!("it is no valid JSON, from byte {byte} of its line {line} on"),
        };
    }
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or(&said);
    // An error of this library's own reading says what was found, and behind it what was expected.
    let (given, wanted) = match said.rsplit_once(", expected ") {
        Some((given, wanted)) => (found(given), expected(wanted)),
        None => (None, ""),
    };
    match given {
        Some(given) => format!("expected {wanted}, given {given}"),
        None if said.starts_with("data did not match any variant") => {
            "it has none of the forms that it may have".to_owned()
        }
        None if said.contains("UUID") => {
            "expected an id such as 01234567-89ab-4cde-8f01-23456789abcd".to_owned()
        }
        None if said.starts_with("Invalid ") => "it is not base64 text".to_owned(),
        None => said.to_owned(),
    }
}

fn expected(wanted: &str) -> &str {
    match wanted {
        "a string" | "string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        "unit" | "null" => "null",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number that is not negative",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "variant identifier" | "string or map" => "one of its words",
        _ if wanted.contains("UUID") => "an id such as 01234567-89ab-4cde-8f01-23456789abcd",
        _ if wanted.starts_with("struct ") || wanted.contains("tagged enum") => "an object",
        _ if wanted.starts_with("enum ") => "one of its words",
        _ => wanted.strip_prefix("tuple struct ").map_or(wanted, |_| "a list"),
    }
}

/// What was given, of an error that says what it is.
fn found(said: &str) -> Option<String> {
    if let Some(count) = said.strip_prefix("invalid length ") {
        return Some(format!("{count} parts"));
    }
    if let Some(word) = said.strip_prefix("unknown variant ") {
        return Some(word.to_owned());
    }
    let given =
        ["invalid type: ", "invalid value: "].iter().find_map(|kind| said.strip_prefix(kind))?;
    let plain = ["integer `", "floating point `", "boolean `"];
    let plain = plain.iter().find_map(|kind| given.strip_prefix(kind));
    Some(match (given, plain, given.strip_prefix("string ")) {
        ("map", ..) => "an object".to_owned(),
        ("sequence", ..) => "a list".to_owned(),
        ("unit value", ..) => "null".to_owned(),
        (_, Some(plain), _) => plain.trim_end_matches('`').to_owned(),
        (_, None, Some(text)) => format!("the text {text}"),
        (_, None, None) => given.to_owned(),
    })
}

/// Finds the part that does not fit: the one without which something else is said. An error that names
/// its field has no need of it.
fn place<T: Wire>(json: &Json, error: &WireError) -> Option<String> {
    let said = error.to_string();
    let named = ["missing field", "unknown field", "duplicate field"];
    if named.iter().any(|kind| said.starts_with(kind))
        || json.to_string().len() > LOOKED_AT_MAX_BYTES
    {
        return None;
    }
    let mut left = TRIES_MAX;
    let mut place: Vec<String> = Vec::new();
    loop {
        let part = place.iter().try_fold(json, |part, key| part.get(key))?;
        let keys: Vec<&String> =
            part.as_object().map(|part| part.keys().collect()).unwrap_or_default();
        left = left.saturating_sub(keys.len());
        if keys.is_empty() || left == 0 {
            break;
        }
        let guilty = keys.into_iter().find(|key| {
            let without = without(json, &place, key);
            T::deserialize(&without).err().is_none_or(|error| error.to_string() != said)
        });
        match guilty {
            Some(key) => place.push(key.clone()),
            None => break,
        }
    }
    (!place.is_empty()).then(|| place.join("."))
}

/// The same value without one field.
fn without(json: &Json, place: &[String], field: &str) -> Json {
    let mut copy = json.clone();
    let part = place.iter().try_fold(&mut copy, |part, key| part.get_mut(key));
    if let Some(part) = part.and_then(Json::as_object_mut) {
        part.shift_remove(field);
    }
    copy
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;
    use crate::blob::Blob;
    use crate::ids::SessionId;

    #[derive(Debug, Serialize, Deserialize)]
    struct Asked {
        path: String,
        #[serde(default)]
        level: u8,
        #[serde(default)]
        from: Option<From>,
        #[serde(default)]
        session: Option<SessionId>,
        #[serde(default)]
        code: Option<Blob>,
        #[serde(default)]
        inner: Option<Inner>,
        #[serde(default)]
        who: Option<Who>,
    }

    #[derive(Debug, Serialize, Deserialize)]
    struct Inner {
        deep: bool,
    }

    #[derive(Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Who {
        Person,
        Model,
    }

    #[derive(Debug, Serialize, Deserialize)]
    #[serde(untagged)]
    enum From {
        Number(u64),
        Text(String),
    }

    #[test]
    fn what_does_not_fit_is_named_with_what_is_expected_there_and_what_was_given() {
        let told = |json: Json| read::<Asked>(&json).unwrap_err();
        let rows = [
            (json!({"path": {}}), "`path`: expected a text, given an object"),
            (json!({"level": 0, "path": 5}), "`path`: expected a text, given 5"),
            (
                json!({"path": "p", "level": 300}),
                "`level`: expected a whole number from 0 to 255, given 300",
            ),
            (
                json!({"path": "p", "level": "1"}),
                "`level`: expected a whole number from 0 to 255, given the text \"1\"",
            ),
            (json!({"path": "p", "from": []}), "`from`: it has none of the forms that it may have"),
            (json!({"path": "p", "code": "!!"}), "`code`: it is not base64 text"),
            (
                json!({"path": "p", "inner": {"deep": 1}}),
                "`inner.deep`: expected true or false, given 1",
            ),
            (
                json!({"path": "p", "who": "model "}),
                "`who`: expected `person` or `model`, given `model `",
            ),
            (json!({}), "missing field `path`"),
            (json!([]), "expected an object, given 0 parts"),
        ];
        for (json, words) in rows {
            assert_eq!(told(json), words);
        }
        let told = told(json!({"path": "p", "session": "nonsense"}));
        assert!(told.starts_with("`session`: expected an id such as "), "{told}");
    }

    #[test]
    fn what_is_no_json_is_said_to_be_none() {
        for text in ["{", "nonsense", "{\"path\" 5}", ""] {
            let told = words(&Asked::from_bytes(text.as_bytes()).unwrap_err());
            assert!(told.starts_with("it is no valid JSON, from its byte "), "{told}");
        }
        let told = words(&Asked::from_bytes(b"{\n  \"path\": ?\n}").unwrap_err());
        assert_eq!(told, "it is no valid JSON, from byte 11 of its line 2 on");
    }

    #[test]
    fn a_text_that_does_not_fit_is_told_like_a_value() {
        let rows = [
            ("{\"path\": 5}", "`path`: expected a text, given 5"),
            ("{}", "missing field `path`"),
            ("\"path\": 5}", "it is no valid JSON, from its byte 7 on"),
            // A value keeps the last of two.
            ("{\"path\": \"p\", \"path\": \"q\"}", "duplicate field `path`"),
        ];
        for (text, words) in rows {
            assert_eq!(read_bytes::<Asked>(text.as_bytes()).unwrap_err(), words);
        }
        assert_eq!(read_bytes::<Asked>(b"{\"path\": \"p\"}").unwrap().path, "p");
    }
}
