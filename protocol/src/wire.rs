//! The one way in which typed values become JSON and back.
//!
//! The engine speaks in these terms so that it needs no serialization crate of its own.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Any JSON value; objects keep the order of their keys.
pub type Json = serde_json::Value;

/// Why a JSON value is not of the wanted type.
pub type WireError = serde_json::Error;

/// A sentence as the reason why a JSON value is not of the wanted type.
pub fn error(reason: &str) -> WireError {
    serde::de::Error::custom(reason)
}

/// A type that is written to disk or put on the wire.
pub trait Wire: Serialize + DeserializeOwned {
    /// As a JSON value.
    fn to_json(&self) -> Json {
        serde_json::to_value(self).expect("protocol types have string keys and finite numbers")
    }

    /// As one line of JSON, without its end.
    fn to_line(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("protocol types have string keys and finite numbers")
    }

    /// From a JSON value.
    fn from_json(json: Json) -> Result<Self, WireError> {
        serde_json::from_value(json)
    }

    /// From the bytes of one JSON text.
    fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        serde_json::from_slice(bytes)
    }
}

impl<T: Serialize + DeserializeOwned> Wire for T {}
