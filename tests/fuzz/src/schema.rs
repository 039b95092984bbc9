//! Values that a JSON Schema describes, as far as schemas made from Rust types go.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use serde_json::{Map, Value, json};

/// How deep types may refer to types; below that stands `null`.
const DEPTH_MAX: usize = 8;

/// What the schemas refer to, and what is known better than they say.
pub struct Described<'a> {
    /// The definitions by name.
    pub definitions: &'a Map<String, Value>,
    /// Values for a property or a definition of this name, where any of its type would be refused
    /// at once.
    pub known: &'a dyn Fn(&str) -> Option<BoxedStrategy<Value>>,
}

impl std::fmt::Debug for Described<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Described").finish_non_exhaustive()
    }
}

impl Described<'_> {
    /// Values of a schema.
    pub fn by(&self, schema: &Value) -> BoxedStrategy<Value> {
        self.at(schema, DEPTH_MAX)
    }

    fn at(&self, schema: &Value, depth: usize) -> BoxedStrategy<Value> {
        if depth == 0 {
            return Just(Value::Null).boxed();
        }
        if let Some(name) = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
            let known = (self.known)(name);
            return known.unwrap_or_else(|| self.at(&self.definitions[name], depth - 1));
        }
        if let Some(word) = schema.get("const") {
            return Just(word.clone()).boxed();
        }
        for key in ["enum", "oneOf", "anyOf"] {
            let Some(choices) = schema[key].as_array() else { continue };
            let choice = |choice: &Value| match key {
                "enum" => Just(choice.clone()).boxed(),
                _ => self.at(choice, depth - 1),
            };
            return Union::new(choices.iter().map(choice)).boxed();
        }
        match &schema["type"] {
            Value::String(kind) => self.of_type(kind, schema, depth),
            Value::Array(kinds) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                Union::new(kinds.map(|kind| self.of_type(kind, schema, depth))).boxed()
            }
            // Anything goes.
            _ => {
                select(vec![json!(null), json!({}), json!([1, "a"]), json!(7), json!("b")]).boxed()
            }
        }
    }

    fn of_type(&self, kind: &str, schema: &Value, depth: usize) -> BoxedStrategy<Value> {
        match kind {
            "boolean" => any::<bool>().prop_map(Value::from).boxed(),
            "integer" | "number" => {
                let small = prop_oneof![3 => 0u64..4, 2 => 0u64..2000, 1 => any::<u64>()];
                small.prop_map(Value::from).boxed()
            }
            "string" => "[a-z_]{0,12}".prop_map(Value::from).boxed(),
            "array" => self.list(schema, depth),
            "object" => self.object(schema, depth),
            _ => Just(Value::Null).boxed(),
        }
    }

    fn list(&self, schema: &Value, depth: usize) -> BoxedStrategy<Value> {
        if let Some(items) = schema["prefixItems"].as_array() {
            let items: Vec<_> = items.iter().map(|item| self.at(item, depth - 1)).collect();
            return items.prop_map(Value::Array).boxed();
        }
        vec(self.at(&schema["items"], depth - 1), 0..3).prop_map(Value::Array).boxed()
    }

    fn object(&self, schema: &Value, depth: usize) -> BoxedStrategy<Value> {
        let Some(properties) = schema["properties"].as_object() else {
            return Just(json!({})).boxed();
        };
        let required = |name: &str| {
            let mut names = schema["required"].as_array().into_iter().flatten();
            names.any(|known| known == name)
        };
        let entries: Vec<_> = properties
            .iter()
            .map(|(name, property)| {
                let value = (self.known)(name).unwrap_or_else(|| self.at(property, depth - 1));
                let name = name.clone();
                let value = match required(&name) {
                    true => value.prop_map(Some).boxed(),
                    false => proptest::option::of(value).boxed(),
                };
                value.prop_map(move |value| value.map(|value| (name.clone(), value))).boxed()
            })
            .collect();
        entries.prop_map(|all| Value::Object(all.into_iter().flatten().collect())).boxed()
    }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    use super::*;

    #[test]
    fn values_have_what_the_schema_says() {
        let definitions = json!({
            "Place": { "type": "object", "properties": { "x": { "type": "integer" } }, "required": ["x"] },
            "Word": { "oneOf": [{ "type": "string", "const": "yes" }, { "enum": ["no", "perhaps"] }] },
        });
        let schema = json!({
            "type": "object",
            "properties": {
                "place": { "$ref": "#/$defs/Place" },
                "words": { "type": "array", "items": { "$ref": "#/$defs/Word" } },
                "name": { "type": ["string", "null"] },
            },
            "required": ["place"],
        });
        let known = |name: &str| (name == "name").then(|| Just(json!("Ada")).boxed());
        let definitions = definitions.as_object().unwrap();
        let strategy = Described { definitions, known: &known }.by(&schema);
        let mut runner = TestRunner::deterministic();
        for _ in 0..100 {
            let value = strategy.new_tree(&mut runner).unwrap().current();
            assert!(value["place"]["x"].is_u64(), "{value}");
            assert!(value.get("name").is_none_or(|name| name == "Ada"), "{value}");
            for word in value["words"].as_array().into_iter().flatten() {
                assert!(["yes", "no", "perhaps"].contains(&word.as_str().unwrap()), "{value}");
            }
        }
    }
}
