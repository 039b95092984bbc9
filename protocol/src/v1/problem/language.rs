//! The languages in which a solution may be written, one row each: how it is named and told apart, and
//! what is said of it. How code is run is a profile in the daemon (`evaluator::languages`), and nothing
//! else asks for a language's name.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares the languages; the first ending of each is the usual one.
macro_rules! languages {
    ($($(#[$doc:meta])* $Language:ident { $($key:ident: $value:expr),* $(,)? })*) => {
        /// A programming language a solution may be written in.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum Language {
            $($(#[$doc])* $Language,)*
        }

        impl Language {
            /// Every language, in the order in which they are offered.
            pub const ALL: [Self; [$(stringify!($Language)),*].len()] = [$(Self::$Language),*];

            const fn row(self) -> &'static Row {
                match self {
                    $(Self::$Language => &Row { $($key: $value),* },)*
                }
            }
        }
    };
}

languages! {
    /// CPython 3.11 or newer.
    Python {
        name: "python",
        title: "Python",
        endings: &["py", "pyw"],
        runtime: "Python",
        constructor: "__init__",
        syntax: Syntax::Python,
        extends: None,
    }
    /// Node.js 18 or newer.
    Javascript {
        name: "javascript",
        title: "JavaScript",
        endings: &["js", "mjs", "cjs"],
        runtime: "Node.js",
        constructor: "constructor",
        syntax: Syntax::Javascript,
        extends: None,
    }
    /// TypeScript without what has to be compiled, by a Node.js that takes types away.
    Typescript {
        name: "typescript",
        title: "TypeScript",
        endings: &["ts", "mts", "cts"],
        runtime: "Node.js",
        constructor: "constructor",
        syntax: Syntax::Javascript,
        extends: Some(Language::Javascript),
    }
}

/// What is said of a language.
struct Row {
    name: &'static str,
    title: &'static str,
    endings: &'static [&'static str],
    runtime: &'static str,
    constructor: &'static str,
    syntax: Syntax,
    extends: Option<Language>,
}

/// How a reader of programs that runs none of them tells their parts apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// By indentation.
    Python,
    /// By braces.
    Javascript,
}

impl Language {
    /// The name on the wire and in packages.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The name in sentences.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The endings of its files, without the dot and in lower case, the usual one first.
    pub fn endings(self) -> &'static [&'static str] {
        self.row().endings
    }

    /// The usual ending of its files, without the dot.
    pub fn extension(self) -> &'static str {
        self.row().endings[0]
    }

    /// What runs it, as people call it.
    pub fn runtime(self) -> &'static str {
        self.row().runtime
    }

    /// The name of what makes an instance, where a class is listed by its methods.
    pub fn constructor(self) -> &'static str {
        self.row().constructor
    }

    /// How its programs are read.
    pub fn syntax(self) -> Syntax {
        self.row().syntax
    }

    /// The language whose programs are programs of this one too; a package that has it needs nothing
    /// more to offer this one.
    pub fn extends(self) -> Option<Self> {
        self.row().extends
    }

    /// The language with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.name() == name)
    }

    /// The language whose files have this ending, in any case.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let ending = ending.to_ascii_lowercase();
        Self::ALL.into_iter().find(|language| language.endings().contains(&ending.as_str()))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_is_found_by_its_name_and_by_each_of_its_endings_alone() {
        for language in Language::ALL {
            assert_eq!(Language::named(language.name()), Some(language));
            assert_eq!(serde_json::to_value(language).unwrap(), language.name());
            for ending in language.endings() {
                assert_eq!(Language::of_ending(&ending.to_uppercase()), Some(language));
            }
        }
        assert_eq!((Language::named("perl"), Language::of_ending("txt")), (None, None));
    }
}
