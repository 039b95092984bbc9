//! [`Document`]: TOML with the place of each key and value, from which serde reads a type.

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor,
};
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};
use vosim_protocol::v1::interview::SchemaFault;

use super::misread::Misread;
use crate::content::interview::faults::named_part;
use crate::toml_text;

/// Longest schema, bytes.
pub const SCHEMA_BYTES_MAX: usize = 256 * 1024;

/// The text of a schema, read as TOML.
#[derive(Debug)]
pub(in crate::content::interview) struct Document<'t> {
    text: &'t str,
    root: Spanned<DeValue<'t>>,
}

impl<'t> Document<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self, SchemaFault> {
        if text.len() > SCHEMA_BYTES_MAX {
            let message =
                format!("has {} bytes; at most {SCHEMA_BYTES_MAX} are allowed", text.len());
            return Err(SchemaFault { line: None, place: "file".to_owned(), message });
        }
        match DeTable::parse(text) {
            Ok(table) => {
                let span = table.span();
                let root = Spanned::new(span, DeValue::Table(table.into_inner()));
                Ok(Self { text, root })
            }
            Err(error) => {
                let (line, reason) = toml_text::fault(text, &error);
                let (line, message) = (number(line), format!("is not TOML: {reason}"));
                Err(SchemaFault { line: Some(line), place: "file".to_owned(), message })
            }
        }
    }

    pub(super) fn root(&self) -> Node<'_, 't> {
        Node(&self.root)
    }

    pub(super) fn line_at(&self, byte: usize) -> u32 {
        number(toml_text::line_at(self.text, byte))
    }

    /// Returns the line of a place such as `sections.frame.questions[2]`: the line of its last part
    /// that is in the text, since a missing key has no line.
    pub(in crate::content::interview) fn line_of(&self, place: &str) -> Option<u32> {
        let mut node = self.root.get_ref();
        let mut found = None;
        let mut parts = parts(place).peekable();
        while let Some(part) = parts.next() {
            // Of two with the same id the second is at fault.
            let last = parts.peek() == Some(&Part::Name("id"));
            let Some((at, inner)) = inside(node, part, last) else { break };
            (found, node) = (Some(at), inner);
        }
        found.map(|at| self.line_at(at))
    }
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// A step of a place: into a table by key, or into a list by id or number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'p> {
    Name(&'p str),
    Number(usize),
}

/// Splits `a.b[2]` into its steps.
fn parts(place: &str) -> impl Iterator<Item = Part<'_>> {
    place.split(['.', '[']).filter_map(|part| match part.strip_suffix(']') {
        Some(number) => number.parse().ok().map(Part::Number),
        None => Some(Part::Name(part)),
    })
}

/// Returns the value that a step leads to, and the byte where it begins.
fn inside<'d, 't>(
    node: &'d DeValue<'t>,
    part: Part<'_>,
    last: bool,
) -> Option<(usize, &'d DeValue<'t>)> {
    match (node, part) {
        (DeValue::Table(table), Part::Name(name)) => {
            let (key, value) = table.iter().find(|(key, _)| key.get_ref() == name)?;
            Some((key.span().start, value.get_ref()))
        }
        (DeValue::Array(items), part) => {
            let mut fits = items.iter().enumerate().filter(|(at, item)| match part {
                Part::Number(number) => *at == number,
                Part::Name(name) => id(item.get_ref()) == Some(name),
            });
            let (_, item) = if last { fits.next_back() } else { fits.next() }?;
            Some((item.span().start, item.get_ref()))
        }
        _ => None,
    }
}

fn id<'d>(value: &'d DeValue<'_>) -> Option<&'d str> {
    let DeValue::Table(table) = value else { return None };
    let (_, value) = table.iter().find(|(key, _)| key.get_ref() == "id")?;
    match value.get_ref() {
        DeValue::String(text) => Some(text),
        _ => None,
    }
}

/// A value that serde reads; its errors know the way to their place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'d, 't>(&'d Spanned<DeValue<'t>>);

impl<'de> Deserializer<'de> for Node<'_, '_> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Integer(number) => match integer(number) {
                Some(number) => visitor.visit_i64(number),
                None => Err(Misread::invalid_type(unexpected(self.0.get_ref()), &visitor)),
            },
            DeValue::Boolean(value) => visitor.visit_bool(*value),
            DeValue::Array(items) => {
                visitor.visit_seq(Items(items.iter().enumerate().collect::<Vec<_>>().into_iter()))
            }
            DeValue::Table(table) => {
                let entries = table.iter().collect::<Vec<_>>().into_iter();
                visitor.visit_map(Entries { entries, value: None })
            }
            other @ (DeValue::Float(_) | DeValue::Datetime(_)) => {
                Err(Misread::invalid_type(unexpected(other), &visitor))
            }
        }
    }

    /// Reads an optional value: a key that is there has one.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_enum(StrDeserializer::<Misread>::new(text)),
            other => Err(Misread::invalid_type(unexpected(other), &"a string")),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

fn integer(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn unexpected<'d>(value: &'d DeValue<'_>) -> Unexpected<'d> {
    match value {
        DeValue::String(text) => Unexpected::Str(text),
        DeValue::Integer(number) => {
            integer(number).map_or(Unexpected::Other(number.as_str()), Unexpected::Signed)
        }
        DeValue::Float(number) => Unexpected::Other(number.as_str()),
        DeValue::Boolean(value) => Unexpected::Bool(*value),
        DeValue::Datetime(_) => Unexpected::Other("a date or a time"),
        DeValue::Array(_) => Unexpected::Seq,
        DeValue::Table(_) => Unexpected::Map,
    }
}

/// The values of a list.
struct Items<'d, 't>(std::vec::IntoIter<(usize, &'d Spanned<DeValue<'t>>)>);

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Misread;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misread> {
        let Some((at, item)) = self.0.next() else { return Ok(None) };
        let name = named_part(id(item.get_ref()).unwrap_or_default(), at);
        let read = seed.deserialize(Node(item));
        read.map(Some).map_err(|misread| misread.within(name, item.span().start))
    }
}

/// The keys and values of a table.
struct Entries<'d, 't> {
    entries: std::vec::IntoIter<(&'d Spanned<DeString<'t>>, &'d Spanned<DeValue<'t>>)>,
    value: Option<(&'d Spanned<DeString<'t>>, &'d Spanned<DeValue<'t>>)>,
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misread> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some((key, value));
        let name: &str = key.get_ref();
        let read = seed.deserialize(StrDeserializer::<Misread>::new(name));
        read.map(Some).map_err(|misread| misread.within(name.to_owned(), key.span().start))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misread> {
        let (key, value) = self.value.take().expect("a value is read after its key");
        let read = seed.deserialize(Node(value));
        read.map_err(|misread| misread.within(key.get_ref().to_string(), key.span().start))
    }
}
