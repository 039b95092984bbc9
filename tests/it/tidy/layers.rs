//! Inside a crate, too, arrows point down: ARCHITECTURE.md's table of layers, room by room.
//!
//! A room is a module with what lies below it, save what is a room of its own.

use std::collections::BTreeSet;

use super::crates;
use super::modules::Crate;

/// The rooms of a crate, layer upon layer. A room names nothing of its own layer or of one above; so
/// no kind names another, and what kinds share names none.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "vosim-protocol",
        &[
            "frame ids time wire",
            "misfit",
            "blob cut hello next paths record",
            "message trouble",
            "v1",
            "v1::attempt v1::drill v1::errand v1::interview v1::task",
            "v1::bundle v1::clauses",
            "v1::report",
            "v1::service",
        ],
    ),
    (
        "vosim-engine",
        &[
            "carried failure rejection",
            "parts",
            "because draft",
            "wanted",
            "kind",
            "settling",
            "session",
            "telling",
            "replay",
            "bundle",
            "report",
            "kinds::attempt kinds::drill kinds::errand kinds::interview kinds::task",
            "kinds",
            "check",
        ],
    ),
    (
        "vosimd",
        &[
            "background clock plain_text runtime_dir toml_text",
            "config lifecycle timer",
            "content evaluator logging model review",
            "proving",
            "daemon offline",
            "problems",
            "doctor effects specs",
            "actors",
            "server",
            "run",
        ],
    ),
    (
        "vosimctl",
        &[
            "ends interrupt spelling",
            "errors",
            "files",
            "any_view connection edit form places",
            "code_file holder message put starter",
            "drafts render typing",
            "render::attempt render::drill render::interview render::task",
            "case_syntax launch playback terminal",
            "output",
            "client",
            "call cli follow log",
            "judged trial",
            "intent",
            "intent::attempt intent::drill intent::errand intent::interview intent::task",
            "tui",
            "tui::panel::attempt tui::panel::drill tui::panel::errand tui::panel::interview \
             tui::panel::task",
            "kinds",
            "commands",
        ],
    ),
];

#[test]
fn no_room_names_one_beside_or_above_it() {
    let crates = crates();
    for (name, layers) in LAYERS {
        let of = crates.iter().find(|of| of.name == *name).unwrap();
        let found = upward(of, layers);
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

/// What does not point down, modules that are in no room, and rooms that are no modules.
fn upward(of: &Crate, layers: &[&'static str]) -> BTreeSet<String> {
    let rooms = |(at, layer): (usize, &'static str)| layer.split(' ').map(move |room| (room, at));
    let rooms: Vec<_> = layers.iter().copied().enumerate().flat_map(rooms).collect();
    let room_of = |module: usize| {
        let name = of.module_name(module);
        let holds = |room: &str| {
            name.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        rooms.iter().filter(|(room, _)| holds(room)).max_by_key(|(room, _)| room.len())
    };
    let modules: BTreeSet<_> = of.arrows().keys().map(|module| of.module_name(*module)).collect();
    let unknown = rooms.iter().filter(|(room, _)| !modules.contains(room));
    let mut found: BTreeSet<_> = unknown.map(|(room, _)| format!("no module {room}")).collect();
    // The root only gathers the rooms.
    for (from, targets) in of.arrows().into_iter().filter(|(from, _)| *from != 0) {
        let name = of.module_name(from);
        let Some((room, layer)) = room_of(from) else {
            found.insert(format!("{name} is in no layer"));
            continue;
        };
        for to in targets {
            if room_of(to).is_some_and(|(other, theirs)| other != room && theirs >= layer) {
                found.insert(format!("{name} -> {}", of.module_name(to)));
            }
        }
    }
    found
}

#[test]
fn an_arrow_up_or_aside_is_found() {
    let of = Crate::of(&[
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "mod deep; mod own; use crate::c::C;"),
        ("a/deep.rs", "use crate::a::own::Own; use crate::b::B;"),
        ("a/own.rs", "use crate::a::deep; pub(crate) struct Own;"),
        ("b.rs", "use crate::a::own::Own; use crate::c::C; pub(crate) struct B;"),
        ("c.rs", "use crate::a::A; pub(crate) struct C;"),
        ("d.rs", ""),
    ]);
    let found = upward(&of, &["a::own", "a", "b c", "e"]);
    let expected = ["a -> c", "a::deep -> b", "b -> c", "d is in no layer", "no module e"];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}
