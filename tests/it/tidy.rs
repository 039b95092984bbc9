//! What no lint checks: headers, arrows between crates and modules, long functions, names that are
//! taken, kinds told everywhere, clean tests.

mod circles;
mod layers;
mod lengths;
mod modules;
mod names;
mod sentences;
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use vosim_protocol::Kind;
use vosim_protocol::wire::Json;

use modules::Crate;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every file of the project that is text, with its path below the root.
fn files() -> Vec<(String, String)> {
    fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let skipped = name == "target" || name == ".git";
            if path.is_dir() && !skipped {
                walk(&path, found);
            } else if path.is_file() && !skipped {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root(), &mut found);
    let relative = |path: &Path| path.strip_prefix(root()).unwrap().display().to_string();
    let text = |path: PathBuf| Some((relative(&path), fs::read_to_string(path).ok()?));
    found.into_iter().filter_map(text).collect()
}

fn rust_files() -> Vec<(String, String)> {
    files().into_iter().filter(|(path, _)| path.ends_with(".rs")).collect()
}

/// The packages of the workspace, as `cargo metadata` tells them.
fn packages() -> Vec<Json> {
    let output = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Every library and program of the workspace, under the name of its package.
fn crates() -> Vec<Crate> {
    let mut crates = Vec::new();
    for package in packages() {
        for target in package["targets"].as_array().unwrap() {
            let kind = target["kind"][0].as_str().unwrap();
            if kind == "lib" || kind == "bin" {
                let name = package["name"].as_str().unwrap();
                crates.push(Crate::read(name, Path::new(target["src_path"].as_str().unwrap())));
            }
        }
    }
    crates
}

#[test]
fn every_file_begins_with_what_it_is_for() {
    let bare: Vec<_> = rust_files()
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| path)
        .collect();
    assert!(bare.is_empty(), "{bare:#?}");
}

#[test]
fn arrows_between_crates_point_one_way() {
    let allowed: [(&str, &[&str]); 13] = [
        ("vosim-protocol", &[]),
        ("vosim-engine", &["vosim-protocol"]),
        ("vosim-agent", &["vosim-protocol", "vosim-sandbox-spec"]),
        ("vosim-store", &["vosim-protocol"]),
        ("vosim-watch", &["vosim-protocol"]),
        ("vosimctl", &["vosim-protocol", "vosim-watch"]),
        ("vosim-sandbox-spec", &[]),
        ("vosim-sandbox", &["vosim-sandbox-spec"]),
        (
            "vosimd",
            &[
                "vosim-agent",
                "vosim-engine",
                "vosim-protocol",
                "vosim-sandbox-spec",
                "vosim-store",
                "vosim-watch",
            ],
        ),
        ("vosim-fuzz", &[]),
        ("vosim-hearing", &["vosim-engine", "vosim-protocol"]),
        ("vosim-needs", &[]),
        ("vosim-tests", &["vosim-engine", "vosim-needs", "vosim-protocol", "vosimd"]),
    ];
    let packages = packages();
    let members: BTreeSet<_> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    assert_eq!(members, allowed.iter().map(|(name, _)| *name).collect());
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let (_, allowed) = allowed.iter().find(|(known, _)| *known == name).unwrap();
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            // A crate's own tests may look at more.
            if members.contains(other) && dependency["kind"].is_null() {
                assert!(allowed.contains(&other), "{name} must not know {other}");
            }
        }
    }
}

#[test]
fn every_kind_is_told_in_readme_commands_screens_and_fixtures() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for kind in Kind::ALL {
        assert!(readme.contains(kind.name()), "README.md does not tell of {kind}");
        for place in [
            format!("client/src/intent/{kind}.rs"),
            format!("client/src/render/{kind}.rs"),
            format!("daemon/engine/src/kinds/{kind}.rs"),
            format!("tests/fixtures/logs/{kind}.jsonl"),
        ] {
            assert!(root().join(&place).exists(), "{place} is missing");
        }
    }
}

#[test]
fn actors_store_and_server_know_no_kind_by_name() {
    for (path, text) in rust_files() {
        if ["daemon/src/actors", "daemon/store/src", "daemon/src/server"]
            .iter()
            .any(|place| path.starts_with(place))
        {
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for kind in Kind::ALL {
                let variant = format!("Kind::{kind:?}");
                assert!(!code.contains(&variant), "{path} names {variant}");
            }
        }
    }
}

/// What can be done about a refusal is data, spelled by each client (DECISIONS 44).
#[test]
fn engine_actors_and_server_spell_no_client_s_command() {
    let rooms = ["daemon/engine/src/", "daemon/src/actors/", "daemon/src/server/"];
    for (path, text) in rust_files() {
        if rooms.iter().any(|room| path.starts_with(room)) {
            let spelled = text
                .lines()
                .find(|line| line.contains("vosimctl") && !line.trim_start().starts_with("//"));
            assert_eq!(spelled, None, "{path}");
        }
    }
}

#[test]
fn tests_neither_sleep_nor_hide() {
    // Put together here, so that this file does not find itself.
    let unwanted =
        [["#[igno", "re"].concat(), ["should_", "panic"].concat(), ["thread::sl", "eep"].concat()];
    for (path, text) in rust_files() {
        for word in &unwanted {
            assert!(!text.contains(word.as_str()), "{path} has {word}");
        }
    }
}

#[test]
fn no_path_of_a_machine_is_written_down() {
    let unwanted = [["/ro", "ot/"].concat(), ["/work/", "main"].concat(), ["/tmp/", "vs"].concat()];
    for (path, text) in files() {
        for word in &unwanted {
            assert!(!text.contains(word.as_str()), "{path} has {word}");
        }
    }
}
