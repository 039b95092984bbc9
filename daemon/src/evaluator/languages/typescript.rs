//! TypeScript: a Node.js that takes types away before it runs a file, from 22.18 and 23.6 on, where that
//! is on without being asked for. What would have to be compiled, it refuses.

use vosim_protocol::v1::problem::Language;

use super::node;
use super::profile::Profile;
use crate::evaluator::frames::Raised;

/// All that is particular to TypeScript; in everything else it is JavaScript.
pub(super) const PROFILE: Profile = Profile {
    language: Language::Typescript,
    oldest: &[(22, 18), (23, 6)],
    remedy: "TypeScript needs such a one: get it from nodejs.org",
    fix: "install Node.js 22.18 or newer, from nodejs.org",
    trial: &["-e", "require('module').stripTypeScriptTypes('let one: number')"],
    driver: (node::DRIVER_NAME, node::driver!("../typescript/plain.js", "\nmain();\n")),
    // Nothing here reads its grammar, so that nothing changes it either.
    bench: None,
    file: "solution.ts",
    note,
    ..node::PROFILE
};

/// What Node calls that which it does not compile, and what can be written instead.
const COMPILED: [(&str, &str, &str); 6] = [
    (
        "enum",
        "An `enum`",
        "an object of constants with `as const`, or a union of texts, does the same",
    ),
    (
        "namespace declaration",
        "A `namespace` with values in it",
        "put its parts into the file itself",
    ),
    (
        "parameter property",
        "A parameter property",
        "declare the field and assign it in the constructor",
    ),
    (
        "import equals declaration",
        "`import x = require(…)`",
        "write `import x from` or `require` alone",
    ),
    ("export assignment", "`export =`", "write `export { … }`"),
    ("module declaration", "A `module` declaration", "put its parts into the file itself"),
];

/// A note where a file needs a compiler, which is not here.
fn note(raised: &Raised) -> Option<String> {
    let refused = raised.message.strip_prefix("TypeScript ");
    let refused =
        refused.and_then(|rest| rest.strip_suffix(" is not supported in strip-only mode"));
    let old = raised.message.starts_with("`module` keyword is not supported");
    let Some(what) =
        refused.or(old.then_some("module declaration")).filter(|_| raised.kind == "SyntaxError")
    else {
        return node::note(raised);
    };
    let known = COMPILED.iter().find(|(name, ..)| *name == what);
    let (what, instead) = known.map_or_else(
        || (format!("This ({what})"), "write it in plain JavaScript with types"),
        |(_, what, instead)| ((*what).to_owned(), *instead),
    );
    Some(format!(
        "{what} has to be compiled, and here types are only taken away before the file is run: {instead}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_have_to_be_compiled_is_named_with_what_does_the_same() {
        let told = |what: &str| {
            note(&Raised {
                kind: "SyntaxError".to_owned(),
                message: format!("TypeScript {what} is not supported in strip-only mode"),
                ..Raised::default()
            })
        };
        let of_enum = told("enum").unwrap();
        assert!(
            of_enum.starts_with("An `enum` has to be compiled, and here types are only"),
            "{of_enum}"
        );
        assert!(told("new thing").unwrap().starts_with("This (new thing) has to be compiled"));
        let missing = Raised {
            kind: "ReferenceError".to_owned(),
            message: "_ is not defined".to_owned(),
            ..Raised::default()
        };
        assert!(note(&missing).unwrap().contains("lodash"), "it is JavaScript, too");
    }

    #[test]
    fn a_node_is_new_enough_where_it_takes_types_away_unasked() {
        for (version, taken) in [
            ((20, 20), false),
            ((22, 17), false),
            ((22, 18), true),
            ((23, 5), false),
            ((23, 6), true),
            ((24, 0), true),
        ] {
            assert_eq!(PROFILE.takes(version), taken, "{version:?}");
        }
    }
}
