//! The table of a kind's commands: one row for each, with its arguments, its result, and who may
//! give it.
//!
//! A command is written down here and nowhere else: its arguments are read, described and sent by
//! its row. The table decides nothing: whether a command is possible is the engine's business.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::ids::{Kind, Role};
use crate::wire::{self, Json, WireError};

/// What is known of a command by its name alone.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow<C> {
    /// Its name on the wire, unique in its kind.
    pub name: &'static str,
    /// What it asks for, one sentence.
    pub doc: &'static str,
    /// The roles that may give it.
    pub may: &'static [Role],
    /// Makes the command of its arguments.
    pub read: fn(Json) -> Result<C, WireError>,
    /// The schema of its arguments.
    pub args: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of its result.
    pub result: fn(&mut SchemaGenerator) -> Schema,
}

/// Why a command cannot be read.
#[derive(Debug)]
pub enum Unread {
    /// The kind has no command of this name.
    Unknown,
    /// The arguments are not the command's.
    Args(WireError),
}

/// What `protocol.describe` tells of one command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandSchema {
    /// What it asks for.
    pub doc: String,
    /// The roles that may give it.
    pub may: Vec<Role>,
    /// The schema of `args` in `session.do`.
    pub args: Json,
    /// The schema of `result` in its answer and in the notice `settled`.
    pub result: Json,
}

/// The commands of a kind. [`commands!`](crate::commands) implements it.
pub trait Commands: Serialize + Sized + 'static {
    /// The kind whose commands they are.
    const KIND: Kind;

    /// One row for each command.
    const TABLE: &'static [CommandRow<Self>];

    /// What a command results in, by command.
    type Settled: Into<Json>;

    /// Its name on the wire.
    fn name(&self) -> &'static str;

    /// Name and arguments, as one value: what a command id stands for.
    fn spelled(&self) -> Json {
        serde_json::to_value(self).expect("protocol types have string keys and finite numbers")
    }

    /// Its arguments, as they stand on the wire.
    fn args(&self) -> Json {
        self.spelled().get_mut("args").map(Json::take).unwrap_or_default()
    }

    /// The roles that may give it.
    fn may(&self) -> &'static [Role] {
        let row = Self::TABLE.iter().find(|row| row.name == self.name());
        row.map_or(&[], |row| row.may)
    }

    /// Reads a command by its name; absent arguments are empty ones.
    fn read(name: &str, args: &Json) -> Result<Self, Unread> {
        let row = Self::TABLE.iter().find(|row| row.name == name).ok_or(Unread::Unknown)?;
        let args = match args {
            Json::Null => Json::Object(Default::default()),
            Json::Object(args) => Json::Object(args.clone()),
            Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => {
                return Err(Unread::Args(wire::error("its arguments are not an object")));
            }
        };
        (row.read)(args).map_err(Unread::Args)
    }

    /// What is told of every command, by name.
    fn schemas(generator: &mut SchemaGenerator) -> BTreeMap<String, CommandSchema> {
        let schema = |row: &CommandRow<Self>| CommandSchema {
            doc: row.doc.trim().to_owned(),
            may: row.may.to_vec(),
            args: (row.args)(generator).to_value(),
            result: (row.result)(generator).to_value(),
        };
        let names = Self::TABLE.iter().map(|row| row.name.to_owned());
        names.zip(Self::TABLE.iter().map(schema)).collect()
    }
}

/// Declares the commands of a kind, and what each results in:
///
/// ```ignore
/// commands! {
///     /// What a candidate asks of a drill.
///     pub enum Command of Drill, settled as Settled {
///         /// Asks for a hint.
///         Hint {
///             /// Agrees to level 4, the reference solution.
///             #[serde(default)]
///             confirm: bool,
///         }: "hint" -> HintAnswer;
///     }
/// }
/// ```
///
/// A row reads: variant and arguments, name, and type of the result; `by Agent | Candidate` behind
/// it names who may give the command where that is not the candidate alone.
#[macro_export]
macro_rules! commands {
    ($(#[$meta:meta])* $vis:vis enum $Command:ident of $Kind:ident, settled as $Settled:ident {
        $(
            $(#[doc = $doc:literal])*
            $Variant:ident {
                $($(#[$field_meta:meta])* $field:ident: $Type:ty),* $(,)?
            }: $name:literal -> $Result:ty $(, by $($role:ident)|+)?;
        )*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, $crate::serde::Serialize)]
        #[serde(crate = "vosim_protocol::serde", tag = "command", content = "args")]
        $vis enum $Command {
            $(
                $(#[doc = $doc])*
                #[serde(rename = $name)]
                $Variant { $($(#[$field_meta])* $field: $Type),* },
            )*
        }

        /// What a command results in, by command.
        #[derive(Clone, Debug, PartialEq)]
        $vis enum $Settled {
            $($(#[doc = $doc])* $Variant($Result),)*
        }

        impl From<$Settled> for $crate::Json {
            fn from(settled: $Settled) -> Self {
                match settled {
                    $($Settled::$Variant(result) => $crate::Wire::to_json(&result),)*
                }
            }
        }

        impl $crate::v1::commands::Commands for $Command {
            const KIND: $crate::Kind = $crate::Kind::$Kind;

            const TABLE: &'static [$crate::v1::commands::CommandRow<Self>] = &[$({
                #[derive($crate::serde::Deserialize, $crate::schemars::JsonSchema)]
                #[serde(crate = "vosim_protocol::serde", deny_unknown_fields)]
                #[schemars(crate = "vosim_protocol::schemars", inline)]
                struct Args {
                    $($(#[$field_meta])* $field: $Type),*
                }
                $crate::v1::commands::CommandRow {
                    name: $name,
                    doc: concat!($($doc),*),
                    may: $crate::commands!(@may $($($role)|+)?),
                    read: |args| {
                        let Args { $($field),* } = $crate::v1::commands::arguments(args)?;
                        Ok(Self::$Variant { $($field),* })
                    },
                    args: |generator| generator.subschema_for::<Args>(),
                    result: |generator| generator.subschema_for::<$Result>(),
                }
            }),*];

            type Settled = $Settled;

            fn name(&self) -> &'static str {
                match self {
                    $(Self::$Variant { .. } => $name,)*
                }
            }
        }
    };
    (@may) => {
        &[$crate::Role::Candidate]
    };
    (@may $($role:ident)|+) => {
        &[$($crate::Role::$role),+]
    };
}

/// Reads the arguments of a command.
#[doc(hidden)]
pub fn arguments<T: serde::de::DeserializeOwned>(args: Json) -> Result<T, WireError> {
    serde_json::from_value(args)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::v1::{drill, interview};

    #[test]
    fn every_command_of_a_kind_has_a_name_of_its_own_and_says_what_it_asks_for() {
        fn check<C: Commands>() {
            let mut names: Vec<_> = C::TABLE.iter().map(|row| row.name).collect();
            assert!(C::TABLE.iter().all(|row| !row.doc.trim().is_empty() && !row.may.is_empty()));
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), C::TABLE.len());
        }
        check::<drill::Command>();
        check::<interview::Command>();
    }

    #[test]
    fn a_command_reads_back_from_its_name_and_arguments() {
        let say = interview::Command::Say { text: "a map".to_owned(), section: None };
        let spelled = json!({ "command": "say", "args": { "text": "a map" } });
        assert_eq!(say.spelled(), spelled);
        assert_eq!(interview::Command::read(say.name(), &say.args()).unwrap(), say);
        let end = drill::Command::read("end", &Json::Null).unwrap();
        assert_eq!((end.name(), end.args()), ("end", json!({})));
    }

    #[test]
    fn what_a_kind_does_not_have_and_what_a_command_does_not_take_are_told_apart() {
        let unknown = drill::Command::read("ask", &json!({}));
        assert!(matches!(unknown, Err(Unread::Unknown)));
        let more = drill::Command::read("end", &json!({ "now": true })).unwrap_err();
        assert!(matches!(more, Unread::Args(error) if error.to_string().contains("now")));
    }
}
