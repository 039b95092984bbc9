//! Compares two descriptions of the protocol: a new one may only gain.

use std::collections::BTreeSet;

use vosim_protocol::wire::Json;

/// Keys of a schema that may change freely.
const FREE: [&str; 4] = ["description", "title", "examples", "default"];
/// Keys under which a list may grow.
const GROWING: [&str; 3] = ["enum", "oneOf", "anyOf"];

/// What the new description no longer has or has changed, one line each; empty when it only
/// gained.
pub(crate) fn additive(old: &Json, new: &Json) -> Vec<String> {
    let mut lost = Vec::new();
    compare("", old, new, &mut lost);
    lost
}

fn compare(at: &str, old: &Json, new: &Json, lost: &mut Vec<String>) {
    match (old, new) {
        (Json::Object(old), Json::Object(new)) => {
            for (key, value) in old {
                // Inside `properties` and the like every key is a name and none is free.
                let is_name = at.ends_with("/properties") || at.ends_with("/definitions");
                if !is_name && FREE.contains(&key.as_str()) {
                    continue;
                }
                let at = format!("{at}/{key}");
                match new.get(key) {
                    None if key == "required" => {}
                    None => lost.push(format!("{at} is gone")),
                    Some(_) if key == "required" => {}
                    Some(now) if GROWING.contains(&key.as_str()) => choices(&at, value, now, lost),
                    Some(now) => compare(&at, value, now, lost),
                }
            }
            required(at, old.get("required"), new.get("required"), lost);
        }
        (old, new) if old == new => {}
        (Json::Array(old), Json::Array(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&format!("{at}/{index}"), old, new, lost);
            }
        }
        _ => lost.push(format!("{at} was {old} and is {new}")),
    }
}

/// Old readers need what was always there; old writers do not send what is new.
fn required(at: &str, old: Option<&Json>, new: Option<&Json>, lost: &mut Vec<String>) {
    let names = |list: Option<&Json>| -> BTreeSet<String> {
        let list = list.and_then(Json::as_array).into_iter().flatten();
        list.filter_map(Json::as_str).map(str::to_owned).collect()
    };
    let (old, new) = (names(old), names(new));
    lost.extend(old.difference(&new).map(|name| format!("{at}: {name} is no longer required")));
    lost.extend(new.difference(&old).map(|name| format!("{at}: {name} is now required")));
}

/// Each old choice must still be one of the new.
fn choices(at: &str, old: &Json, new: &Json, lost: &mut Vec<String>) {
    let list = |json: &Json| json.as_array().cloned().unwrap_or_default();
    for choice in list(old) {
        let fits = |now: &Json| {
            let mut lost = Vec::new();
            compare("", &choice, now, &mut lost);
            lost.is_empty()
        };
        if !list(new).iter().any(fits) {
            let text: String = choice.to_string().chars().take(200).collect();
            lost.push(format!("{at} no longer has {text}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn old() -> Json {
        json!({
            "methods": { "a": { "params": { "$ref": "#/definitions/P" } } },
            "definitions": {
                "P": {
                    "description": "p",
                    "type": "object",
                    "properties": {
                        "x": { "type": "integer" },
                        "title": { "type": "string" },
                        "y": { "type": "string", "enum": ["one", "two"] },
                    },
                    "required": ["x"],
                },
                "Q": { "oneOf": [{ "const": "a" }, { "type": "object", "properties": {} }] },
            },
        })
    }

    /// The old description with one place replaced.
    fn with(pointer: &str, value: Json) -> Json {
        let mut new = old();
        *new.pointer_mut(pointer).unwrap() = value;
        new
    }

    #[test]
    fn gains_are_no_losses() {
        assert_eq!(additive(&old(), &old()), Vec::<String>::new());
        for (pointer, value) in [
            ("/definitions/P/properties/y/enum", json!(["two", "three", "one"])),
            ("/definitions/P/description", json!("another")),
            (
                "/definitions/P/properties",
                json!({
                    "x": { "type": "integer" }, "title": { "type": "string" },
                    "y": { "type": "string", "enum": ["one", "two"] }, "z": { "type": "null" },
                }),
            ),
            (
                "/definitions/Q/oneOf",
                json!([{ "const": "b" }, { "const": "a" }, { "type": "object", "properties": { "n": {} } }]),
            ),
        ] {
            assert_eq!(additive(&old(), &with(pointer, value)), Vec::<String>::new(), "{pointer}");
        }
    }

    #[test]
    fn every_kind_of_loss_is_found() {
        for (pointer, value) in [
            ("/definitions/P/required", json!([])),
            ("/definitions/P/required", json!(["x", "y"])),
            ("/definitions/P/properties/x/type", json!("string")),
            ("/definitions/P/properties/x", json!({})),
            ("/definitions/P/properties/y/enum", json!(["one"])),
            ("/definitions/P/properties", json!({ "x": { "type": "integer" } })),
            (
                "/definitions/P/properties",
                json!({
                    "x": { "type": "integer" },
                    "y": { "type": "string", "enum": ["one", "two"] },
                }),
            ),
            ("/definitions/Q/oneOf", json!([{ "type": "object", "properties": {} }])),
            ("/methods/a/params", json!({ "$ref": "#/definitions/Q" })),
            ("/methods", json!({})),
            ("/definitions/P", json!(null)),
        ] {
            assert_ne!(additive(&old(), &with(pointer, value)), Vec::<String>::new(), "{pointer}");
        }
    }
}
