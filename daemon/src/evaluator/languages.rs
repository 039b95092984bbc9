//! The languages that code can be written in: one profile each says how its runtime is found and
//! started and what is special about it. Nothing else here or elsewhere asks for a language's name
//! to decide how to run it.

mod node;
mod profile;
mod python;
mod typescript;

use vosim_protocol::v1::problem::Language;

pub(super) use profile::{Profile, parse_version};

/// The profile of a language.
pub(super) const fn profile(language: Language) -> &'static Profile {
    match language {
        Language::Python => &python::PROFILE,
        Language::Javascript => &node::PROFILE,
        Language::Typescript => &typescript::PROFILE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_entry_that_bears_its_name() {
        for language in Language::ALL {
            assert_eq!(profile(language).language, language);
            assert!(profile(language).file.ends_with(&format!(".{}", language.extension())));
        }
        let oldest = Language::ALL.map(|language| profile(language).oldest_words());
        assert_eq!(oldest, ["3.11", "18", "22.18"]);
    }
}
