//! Submitted code and other large bytes: kept beside the log, named by their hash.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::Hash;

/// Largest submission in bytes (DECISIONS 6); a client refuses more before it sends.
pub const SUBMISSION_MAX_BYTES: usize = 512 * 1024;

/// Bytes on their way to the content-addressed tree; base64 on the wire.
#[derive(Clone, PartialEq, Eq)]
pub struct Blob(pub Vec<u8>);

impl Blob {
    /// How events name these bytes.
    pub fn reference(&self) -> BlobRef {
        BlobRef {
            hash: Hash::of(&self.0),
            bytes: self.0.len() as u64,
            line_count: line_count(&self.0),
        }
    }
}

/// Shows hash and size only: code stays out of logs.
impl std::fmt::Debug for Blob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.reference().fmt(f)
    }
}

impl Serialize for Blob {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        STANDARD.decode(text.as_bytes()).map(Self).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Blob {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Blob".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "contentEncoding": "base64" })
    }
}

/// The name of a blob, with what can be said of it without its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlobRef {
    /// SHA-256 of the bytes.
    pub hash: Hash,
    /// The number.
    pub bytes: u64,
    /// Lines of text; a last line without its end counts.
    pub line_count: u64,
}

fn line_count(bytes: &[u8]) -> u64 {
    let ends = bytes.iter().filter(|&&b| b == b'\n').count() as u64;
    ends + u64::from(bytes.last().is_some_and(|&b| b != b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_line_without_its_end_counts() {
        for (text, lines) in [("", 0), ("\n", 1), ("a", 1), ("a\nb", 2), ("a\r\nb\r\n", 2)] {
            assert_eq!(Blob(text.into()).reference().line_count, lines, "{text:?}");
        }
    }

    #[test]
    fn a_blob_travels_as_base64_and_hides_from_debug() {
        let blob = Blob(vec![0, 255, b'x']);
        let json = serde_json::to_string(&blob).unwrap();
        assert_eq!(json, "\"AP94\"");
        assert_eq!(serde_json::from_str::<Blob>(&json).unwrap(), blob);
        assert!(!format!("{:?}", Blob(b"secret code".to_vec())).contains("secret"));
    }
}
