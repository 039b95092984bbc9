//! The content of a file that a run is given.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The content of a file: a text as a string, other bytes as `{"base64": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// UTF-8.
    Text(String),
    /// Any bytes.
    Bytes(Vec<u8>),
}

impl AsRef<[u8]> for Content {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Self::Bytes(error.into_bytes()), Self::Text)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes { base64: String },
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => to.serialize_str(text),
            Self::Bytes(bytes) => Form::Bytes { base64: STANDARD.encode(bytes) }.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Form::deserialize(from)? {
            Form::Text(text) => Ok(Self::Text(text)),
            Form::Bytes { base64 } => {
                STANDARD.decode(base64).map(Self::Bytes).map_err(D::Error::custom)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stands_as_it_is_and_other_bytes_in_base64() {
        for (content, json) in [
            (Content::from(b"a\n".to_vec()), r#""a\n""#),
            (Content::from(b"\xe4\0".to_vec()), r#"{"base64":"5AA="}"#),
        ] {
            assert_eq!(serde_json::to_string(&content).unwrap(), json);
            assert_eq!(serde_json::from_str::<Content>(json).unwrap(), content);
        }
    }

    #[test]
    fn what_is_no_base64_is_refused() {
        for wrong in [r#"{"base64":"5A"}"#, r#"{"base64":7}"#, "7", "{}"] {
            assert!(serde_json::from_str::<Content>(wrong).is_err(), "{wrong}");
        }
    }
}
