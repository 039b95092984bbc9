//! JSON as text that may be wrong in every place: numbers of any length, names that occur twice,
//! tokens that are none. A value of serde_json could hold nothing of that.

use serde_json::Value;

/// A text in the shape of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// Written as it stands.
    Token(String),
    /// Between brackets.
    List(Vec<Self>),
    /// Between braces; the names are tokens too.
    Object(Vec<(String, Self)>),
}

impl Tree {
    /// The text, in no more white space than JSON needs.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Token(token) => text.push_str(token),
            Self::List(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(entries) => {
                text.push('{');
                for (index, (name, value)) in entries.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    text.push_str(name);
                    text.push(':');
                    value.write(text);
                }
                text.push('}');
            }
        }
    }

    /// How many places there are, this one included.
    pub(crate) fn places(&self) -> usize {
        1 + match self {
            Self::Token(_) => 0,
            Self::List(items) => items.iter().map(Self::places).sum(),
            Self::Object(entries) => entries.iter().map(|(_, value)| value.places()).sum(),
        }
    }

    /// A place by its number from 0, outer before inner.
    pub(crate) fn place(&mut self, number: usize) -> Option<&mut Self> {
        let mut left = number;
        self.search(&mut left)
    }

    fn search(&mut self, left: &mut usize) -> Option<&mut Self> {
        if *left == 0 {
            return Some(self);
        }
        *left -= 1;
        match self {
            Self::Token(_) => None,
            Self::List(items) => items.iter_mut().find_map(|item| item.search(left)),
            Self::Object(entries) => entries.iter_mut().find_map(|(_, value)| value.search(left)),
        }
    }
}

impl From<&Value> for Tree {
    fn from(json: &Value) -> Self {
        match json {
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(entries) => Self::Object(
                entries.iter().map(|(name, value)| (quoted(name), Self::from(value))).collect(),
            ),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                Self::Token(json.to_string())
            }
        }
    }
}

/// A text as a token.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_reads_back_as_it_was() {
        let json = serde_json::json!({ "a": [1, -2.5, null, true, "é\n\u{0}"], "": {}, "b": [] });
        let text = Tree::from(&json).text();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json);
    }

    #[test]
    fn every_place_is_found_by_its_number() {
        let mut tree = Tree::from(&serde_json::json!({ "a": [1, 2], "b": 3 }));
        assert_eq!(tree.places(), 5);
        let texts: Vec<_> = (0..5).map(|number| tree.place(number).unwrap().text()).collect();
        assert_eq!(texts, [r#"{"a":[1,2],"b":3}"#, "[1,2]", "1", "2", "3"]);
        assert_eq!(tree.place(5), None);
    }
}
