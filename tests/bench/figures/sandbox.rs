//! What isolation costs and how sharp its limits are.
//!
//! All ways of running a program are taken in turn in this one process, by `posix_spawn` and a
//! wait, pinned to one core: what a busy machine adds, it adds to all of them.

mod limits;
mod ways;

use std::path::PathBuf;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::MemoryBy;

use super::helper::{self, runtime};
use super::table::{Bar, Table};
use ways::{Case, Way};

pub(crate) fn measure(table: &Table) {
    let Some(python) = runtime(Language::Python) else {
        return table.skipped("what isolation costs", "no Python was found");
    };
    println!("sandbox: Python {} at {}", python.version, python.path.display());
    let python_path = python.path.to_string_lossy().into_owned();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let case = |name, argv, turns, bar| Case {
        name,
        argv,
        mounts: python.mounts.clone(),
        memory_by: MemoryBy::AddressSpace,
        turns,
        bar,
    };
    let at_most = |most| Bar::AtMost(most, "");
    let mut cases = vec![
        case("true", words(&[&real("/usr/bin/true")]), 300, at_most(3.4)),
        case("python3 -I -S", words(&[&python_path, "-I", "-S", "-c", "pass"]), 100, at_most(1.35)),
        case("python3", words(&[&python_path, "-c", "pass"]), 100, at_most(1.25)),
    ];
    // What it reads by itself at its start must be there for everybody, or isolation looks cheaper.
    let sites = PathBuf::from("/usr/lib/python3");
    cases[2].mounts.extend(sites.is_dir().then_some(sites));
    match runtime(Language::Javascript) {
        Some(node) => cases.push(Case {
            name: "node",
            // It would end over a configuration that is there and must not be read.
            argv: words(&[&node.path.to_string_lossy(), "--openssl-config=/dev/null", "-e", "0"]),
            mounts: node.mounts,
            memory_by: MemoryBy::Data,
            turns: 30,
            bar: Bar::Told,
        }),
        None => table.skipped("node isolated against bare", "no Node.js was found"),
    }
    {
        let _pinned = Pinned::to_one_core();
        for case in cases {
            costs(table, &case);
        }
    }
    limits::measure(table, &python);
}

/// One program every way.
fn costs(table: &Table, case: &Case) {
    let name = case.name;
    let mut bare = Way::bare(case);
    let mut ours = Way::helper("isolated", helper::sandbox(), case);
    let dynamic = std::env::var_os("VOSIM_BENCH_DYNAMIC").map(PathBuf::from);
    let mut dynamic = dynamic.map(|path| Way::helper("dynamic", path, case));
    let mut peers: Vec<_> = [Way::bwrap(case), Way::isolate(case)].into_iter().collect();
    let mut by_hand = Way::by_hand(case);
    for turn in 0..table.turns(case.turns) {
        let mut all: Vec<&mut Way> = vec![&mut bare, &mut ours, &mut by_hand];
        all.extend(dynamic.iter_mut());
        all.extend(peers.iter_mut().flatten());
        // Nobody always comes behind the same one.
        let first = turn % all.len();
        all.rotate_left(first);
        all.into_iter().for_each(Way::turn);
    }
    println!("sandbox: {name} ran at {}", ours.level());
    table.ratio(&format!("{name} isolated against bare"), &ours.series, &bare.series, case.bar);
    for peer in peers {
        match peer {
            Ok(peer) => {
                let named = format!("{name} isolated against {}", peer.series.name());
                table.ratio(&named, &ours.series, &peer.series, Bar::AtMost(1.0, ""));
                let named = format!("{name} in {} against bare", peer.series.name());
                table.ratio(&named, &peer.series, &bare.series, Bar::Told);
            }
            Err((peer, why)) if case.name == "true" => {
                table.skipped(&format!("isolated against {peer}"), why);
            }
            Err(_) => {}
        }
    }
    let named = format!("{name} by `vosim-sandbox run` against bare");
    table.ratio(&named, &by_hand.series, &bare.series, Bar::Told);
    if let Some(dynamic) = dynamic {
        let named = format!("{name}, helper static against dynamic");
        table.ratio(&named, &ours.series, &dynamic.series, Bar::AtMost(1.0, ""));
    }
}

fn real(path: &str) -> String {
    std::fs::canonicalize(path).unwrap().to_string_lossy().into_owned()
}

/// The own process and what it starts, on one core, until it is dropped.
struct Pinned {
    before: CpuSet,
}

impl Pinned {
    fn to_one_core() -> Self {
        let own = Pid::from_raw(0);
        let before = sched_getaffinity(own).unwrap();
        let last = (0..CpuSet::count()).rev().find(|&core| before.is_set(core).unwrap()).unwrap();
        let mut one = CpuSet::new();
        one.set(last).unwrap();
        sched_setaffinity(own, &one).unwrap();
        Self { before }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        sched_setaffinity(Pid::from_raw(0), &self.before).unwrap();
    }
}
