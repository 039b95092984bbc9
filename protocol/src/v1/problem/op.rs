//! One operation of a case or a run, and how it is written.

use std::fmt;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use crate::wire::Json;

/// One call and what it must return; written `["get", [1], -1]`, or `["put", [1, 1]]` where the
/// answer does not matter. `["Name@1", []]` calls nothing: what follows goes to the first instance of
/// the class `Name` again.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// The method, function or (constructor) class.
    pub call: String,
    /// The arguments.
    pub args: Vec<Json>,
    /// What it must return; absent where it does not matter, null for nothing.
    pub expect: Option<Json>,
}

impl Serialize for Op {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.expect {
            Some(expect) => (&self.call, &self.args, expect).serialize(serializer),
            None => (&self.call, &self.args).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Op {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(OpVisitor)
    }
}

/// Reads an operation part by part: a suite has tens of thousands of them.
struct OpVisitor;

impl<'de> serde::de::Visitor<'de> for OpVisitor {
    type Value = Op;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an operation: [\"name\", [arguments]] or [\"name\", [arguments], answer]")
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut parts: A) -> Result<Op, A::Error> {
        let call = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let args = parts.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        let expect = parts.next_element()?;
        if parts.next_element::<serde::de::IgnoredAny>()?.is_some() {
            return Err(A::Error::custom("an operation has at most three parts"));
        }
        Ok(Op { call, args, expect })
    }
}

impl JsonSchema for Op {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Op".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array",
            "prefixItems": [{ "type": "string" }, { "type": "array" }, {}],
            "minItems": 2,
            "maxItems": 3
        })
    }
}
