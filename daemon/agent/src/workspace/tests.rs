//! The tools on real folders: what they answer, what they leave alone, and that no path leads out.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use vosim_protocol::ids::Hash;

use super::*;

struct Room {
    dir: tempfile::TempDir,
    workspace: Workspace,
    seen: Seen,
}

impl Room {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("space")).unwrap();
        let workspace = Workspace::open(&dir.path().join("space")).unwrap();
        Self { dir, workspace, seen: Seen::default() }
    }

    fn space(&self) -> std::path::PathBuf {
        self.dir.path().join("space")
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        match FileCall::parse(tool, &arguments.to_string()) {
            Ok(call) => self.workspace.act(&mut self.seen, &call).answer.told,
            Err(refusal) => refusal.told(),
        }
    }

    fn create(&mut self, path: &str, content: &str) -> Value {
        self.call("create_file", &json!({ "path": path, "content": content }))
    }

    fn edit(&mut self, path: &str, old: &str, new: &str) -> Value {
        self.call("apply_edit", &json!({ "path": path, "old": old, "new": new }))
    }

    fn read(&mut self, path: &str) -> Value {
        self.call("read_file", &json!({ "path": path }))
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.space().join(path)).unwrap()
    }
}

#[test]
fn the_patterns_of_002_4_3_work_as_they_are_written() {
    let mut room = Room::new();
    let empty = json!({ "success": true, "files": [], "total_files": 0 });
    assert_eq!(room.call("list_files", &json!({})), empty);
    let written = json!({ "success": true, "path": "main.py", "bytes_written": 6 });
    assert_eq!(room.create("main.py", "x = 1\n"), written);
    room.create("./tests//test_main.py", "");
    assert_eq!(
        room.call("list_files", &json!({})),
        json!({
            "success": true,
            "files": [{ "path": "main.py", "size": 6 }, { "path": "tests/test_main.py", "size": 0 }],
            "total_files": 2,
        })
    );
    assert_eq!(
        room.read("main.py"),
        json!({ "success": true, "path": "main.py", "content": "x = 1\n", "size_bytes": 6 })
    );
    room.create("main.py", "x = 2\n");
    assert_eq!(room.edit("main.py", "2", "3")["success"], true);
    assert_eq!(room.text("main.py"), "x = 3\n");
    assert_eq!(room.create("main.py", "x = 3\n")["unchanged"], true);
    assert_eq!(room.read("none.py")["error"], "File not found: none.py");
}

/// Notes L5 and L6: what is cut or of another form is an error, and nothing is executed.
#[test]
fn arguments_that_are_not_exactly_those_of_the_tool_do_nothing() {
    let mut cases: Vec<(&str, String)> = Vec::new();
    let whole = r#"{"path":"a.py","content":"def f("}"#;
    cases.extend((0..whole.len()).map(|end| ("create_file", whole[..end].to_owned())));
    for wrong in [
        "[]",
        r#"["a.py","x"]"#,
        r#""x""#,
        "null",
        "7",
        r#"{"path":"a.py"}"#,
        r#"{"path":"a.py","content":7}"#,
        r#"{"path":"a.py","content":null}"#,
        r#"{"path":["a.py"],"content":"x"}"#,
        r#"{"path":"a.py","content":"x","mode":"777"}"#,
        r#"{"path":"a.py","path":"b.py","content":"x"}"#,
        r#"{"path":"a.py","content":"x"} {"path":"b.py","content":"x"}"#,
        r#"{"path":"a.py","content":"\ud800"}"#,
        r#"{"path":"a.py","content":"x",}"#,
        "{'path':'a.py','content':'x'}",
    ] {
        cases.push(("create_file", wrong.to_owned()));
    }
    cases.push(("create_file", "x".repeat(1 << 20)));
    cases.push(("list_files", String::new()));
    cases.push(("list_files", r#"{"path":"."}"#.to_owned()));
    cases.push(("apply_edit", r#"{"path":"a.py","old":"x"}"#.to_owned()));
    for (tool, arguments) in cases {
        let refusal = FileCall::parse(tool, &arguments).unwrap_err();
        assert_eq!(refusal.code(), "arguments", "{tool} {arguments}");
        let told = refusal.told();
        assert_eq!(told["schema"]["additionalProperties"], false);
        assert!(told["sent"].as_str().unwrap().len() <= 800);
    }
    assert_eq!(FileCall::parse("bash", "{}").unwrap_err().code(), "unknown_tool");
    let cut = FileCall::parse("read_file", r#"{"path":"#).unwrap_err().to_string();
    assert!(cut.contains("line 1 column 8"), "{cut}");
}

#[test]
fn a_model_is_told_of_four_tools_by_the_types_that_read_their_arguments() {
    let tools = described();
    assert_eq!(
        tools.each_ref().map(|tool| tool.name),
        ["create_file", "read_file", "list_files", "apply_edit"]
    );
    let schema = &tools[3].schema;
    assert_eq!(schema["required"], json!(["path", "old", "new"]));
    assert_eq!(schema["properties"]["path"]["type"], "string");
    assert!(schema.get("$schema").is_none());
}

/// Notes L1.
#[test]
fn what_somebody_else_saved_meanwhile_is_never_written_over() {
    let mut room = Room::new();
    fs::write(room.space().join("a.py"), "mine\n").unwrap();
    let unread = room.create("a.py", "yours\n");
    assert_eq!((&unread["code"], &unread["content"]), (&json!("unread_file"), &json!("mine\n")));
    // Now it was told what stands there.
    assert_eq!(room.create("a.py", "yours\n")["success"], true);
    assert_eq!(room.create("a.py", "yours 2\n")["success"], true);
    fs::write(room.space().join("a.py"), "saved\n").unwrap();
    let stale = room.edit("a.py", "yours", "x");
    assert_eq!((&stale["code"], &stale["content"]), (&json!("stale_file"), &json!("saved\n")));
    assert_eq!(room.text("a.py"), "saved\n");
    assert_eq!(room.edit("a.py", "saved", "x")["success"], true);
    fs::remove_file(room.space().join("a.py")).unwrap();
    assert_eq!(room.create("a.py", "again\n")["removed"], true);
    assert_eq!(room.create("a.py", "again\n")["success"], true);
}

#[test]
fn a_change_carried_out_twice_is_carried_out_once_and_one_in_between_stops_it() {
    let mut room = Room::new();
    room.create("a.py", "1\n");
    let call = FileCall::parse("apply_edit", r#"{"path":"a.py","old":"1","new":"11"}"#).unwrap();
    let change = room.workspace.foresee(&room.seen, &call).change.unwrap();
    assert_eq!(room.text("a.py"), "1\n");
    room.workspace.carry_out(&change).unwrap();
    room.workspace.carry_out(&change).unwrap();
    assert_eq!(room.text("a.py"), "11\n");
    fs::write(room.space().join("a.py"), "other\n").unwrap();
    let refusal = room.workspace.carry_out(&change).unwrap_err();
    assert_eq!(refusal.told()["content"], "other\n");
    assert_eq!(room.text("a.py"), "other\n");
}

#[test]
fn what_an_interrupted_writing_left_is_neither_listed_nor_in_the_way() {
    let mut room = Room::new();
    for left in ["half", "more than half"] {
        fs::write(room.space().join(".vosim-unfinished"), left).unwrap();
        assert_eq!(room.call("list_files", &json!({}))["total_files"], u64::from(left != "half"));
        assert_eq!(room.create("a.py", left)["success"], true);
        assert!(!room.space().join(".vosim-unfinished").exists());
    }
    assert_eq!(room.create(".vosim-unfinished", "")["code"], "bad_path");
}

/// Notes L36.
#[test]
fn mode_owner_line_ends_and_mark_of_a_file_stay() {
    let mut room = Room::new();
    let file = room.space().join("run.sh");
    fs::write(&file, "\u{feff}a\r\nb\r\n").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o4751)).unwrap();
    let owner = fs::metadata(&file).unwrap().uid();
    room.read("run.sh");
    assert_eq!(room.edit("run.sh", "a\nb\n", "a\nc\nb\n")["success"], true);
    assert_eq!(room.text("run.sh"), "\u{feff}a\r\nc\r\nb\r\n");
    assert_eq!(room.create("run.sh", "z\ny\n")["success"], true);
    assert_eq!(room.text("run.sh"), "\u{feff}z\r\ny\r\n");
    let about = fs::metadata(&file).unwrap();
    assert_eq!((about.mode() & 0o7777, about.uid()), (0o751, owner));
    // What is new is as open as the folder in which it stands.
    fs::set_permissions(room.space(), Permissions::from_mode(0o770)).unwrap();
    room.create("new/plain.py", "a\n");
    let mode = |path: &str| fs::metadata(room.space().join(path)).unwrap().mode() & 0o777;
    assert_eq!((mode("new"), mode("new/plain.py")), (0o770, 0o660));
}

#[test]
fn an_edit_needs_one_place_and_says_where_there_are_more() {
    let mut room = Room::new();
    room.create("a.py", "x = 1\ny = 1\naaa\n");
    let many = room.edit("a.py", "= 1", "= 2");
    assert_eq!((&many["code"], &many["lines"]), (&json!("many_matches"), &json!([1, 2])));
    // Passages may overlap.
    assert_eq!(room.edit("a.py", "aa", "b")["code"], "many_matches");
    assert_eq!(room.edit("a.py", "z", "b")["code"], "no_match");
    assert_eq!(room.edit("a.py", "", "b")["code"], "no_match");
    assert_eq!(room.edit("a.py", "x", "x")["code"], "same_text");
    assert_eq!(room.edit("none.py", "x", "y")["code"], "not_found");
}

/// Notes L14, and 002 4.2.
#[test]
fn only_text_of_a_bounded_size_is_read_and_written() {
    let mut room = Room::new();
    for bytes in [&b"a\0b"[..], b"\xff\xfe", b"caf\xe9"] {
        fs::write(room.space().join("b"), bytes).unwrap();
        let told = room.read("b");
        assert_eq!(
            (&told["error"], &told["size_bytes"]),
            (&json!("Cannot read binary file"), &json!(bytes.len()))
        );
        assert_eq!(room.create("b", "text")["code"], "binary");
        assert_eq!(fs::read(room.space().join("b")).unwrap(), bytes);
    }
    assert_eq!(room.create("c", "a\0b")["code"], "not_text");
    let most = FILE_MAX_BYTES;
    assert_eq!(room.create("c", &"x".repeat(most))["success"], true);
    assert_eq!(room.create("d", &"x".repeat(most + 1))["code"], "too_large");
    assert_eq!(room.edit("c", &"x".repeat(most), &"y".repeat(most + 1))["code"], "too_large");
    fs::write(room.space().join("e"), vec![b'x'; most + 1]).unwrap();
    assert_eq!(room.read("e")["code"], "too_large");
}

#[test]
fn a_comment_in_the_place_of_code_is_not_written_over_code() {
    let mut room = Room::new();
    let lazy = "def f():\n    return 2\n\n# ... rest of the code stays the same\n";
    room.create("a.py", "def f():\n    return 1\n\ndef g():\n    pass\n");
    assert_eq!(room.create("a.py", lazy)["code"], "placeholder");
    assert!(room.text("a.py").contains("def g"));
    // In a new file it replaces nothing.
    assert_eq!(room.create("b.py", lazy)["success"], true);
    let honest = "# loading ... then parsing\n# the rest is history\nx = 'rest...'\n";
    assert_eq!(room.create("a.py", honest)["success"], true);
}

/// Notes L16.
#[test]
fn a_listing_leaves_out_what_nobody_reads_and_counts_it() {
    let mut room = Room::new();
    for path in ["node_modules/a/b.js", "src/__pycache__/m.pyc", ".git/HEAD"] {
        let path = room.space().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    fs::create_dir_all(room.space().join("deep/er")).unwrap();
    for number in 0..600 {
        fs::write(room.space().join(format!("deep/er/{number:03}")), "").unwrap();
    }
    fs::write(room.space().join("z.py"), "").unwrap();
    symlink("z.py", room.space().join("link")).unwrap();
    let told = room.call("list_files", &json!({}));
    assert_eq!(told["total_files"], 601);
    let files = told["files"].as_array().unwrap();
    assert_eq!((files.len(), &files[0]["path"]), (500, &json!("z.py")), "upper folders first");
    assert_eq!(room.workspace.files().len(), 601);
    assert_eq!(
        told["left_out"],
        json!([
            { "path": ".git", "entries": 1 },
            { "path": "node_modules", "entries": 2 },
            { "path": "src/__pycache__", "entries": 1 },
        ])
    );
    assert_eq!(told["no_files"], json!(["link"]));
    assert_eq!(room.create("src/__pycache__/x.py", "")["code"], "protected");
    assert_eq!(room.read("node_modules/a/b.js")["success"], true);
}

/// Everything of a folder that could be changed or made there.
fn contents(dir: &Path) -> BTreeMap<std::path::PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            found.extend(contents(&path));
        }
        let plain = entry.file_type().unwrap().is_file();
        found.insert(path.clone(), plain.then(|| fs::read(&path).unwrap()));
    }
    found
}

const SECRET: &str = "the secret of another";

/// Shapes of paths that lead out, or into what is no file: what makes each, and its path.
fn shapes(space: &Path, out: &Path) -> Vec<(&'static str, String)> {
    let link = |target: &str, name: &str| symlink(target, space.join(name)).unwrap();
    let out_text = out.to_str().unwrap();
    fs::create_dir_all(space.join("sub/deep")).unwrap();
    link(&format!("{out_text}/secret"), "file-link");
    link("../out/secret", "relative-link");
    link(out_text, "folder-link");
    link("../out", "sub-link");
    link(&format!("{out_text}/new"), "dangling");
    link(&format!("{out_text}/newdir"), "dangling-folder");
    link("file-link", "chain");
    link("loop", "loop");
    link(".", "itself");
    link("/proc/self/root", "root");
    link("/proc/self/cwd", "cwd");
    link("/proc/self/fd", "fds");
    link("../../out", "sub/up");
    fs::hard_link(out.join("secret"), space.join("hard")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(space.join("pipe")).status();
    assert!(made.unwrap().success());
    drop(UnixListener::bind(space.join("socket")).unwrap());
    [
        ("one up", "../out/secret".to_owned()),
        ("up and in", "sub/../../out/secret".to_owned()),
        ("up from deep", "sub/deep/../../../out/secret".to_owned()),
        ("dot and up", "./../out/secret".to_owned()),
        ("up to a new file", "../out/new".to_owned()),
        ("absolute", format!("{out_text}/secret")),
        ("absolute in the workspace", space.join("x.py").to_str().unwrap().to_owned()),
        ("doubled slash", format!("/{out_text}/secret")),
        ("parent alone", "..".to_owned()),
        ("file link", "file-link".to_owned()),
        ("relative file link", "relative-link".to_owned()),
        ("folder link", "folder-link/secret".to_owned()),
        ("relative folder link", "sub-link/secret".to_owned()),
        ("new file in a folder link", "folder-link/new".to_owned()),
        ("dangling link", "dangling".to_owned()),
        ("dangling folder link", "dangling-folder/new".to_owned()),
        ("chain of links", "chain".to_owned()),
        ("loop", "loop".to_owned()),
        ("link to itself", "itself/itself/file-link".to_owned()),
        ("link in a subfolder", "sub/up/secret".to_owned()),
        ("root of the process", format!("root{out_text}/secret")),
        ("folder of the process", "cwd/new".to_owned()),
        ("descriptor", "fds/0".to_owned()),
        ("hard link", "hard".to_owned()),
        ("named pipe", "pipe".to_owned()),
        ("socket", "socket".to_owned()),
        ("folder", "sub".to_owned()),
        ("folder with a slash", "sub/".to_owned()),
        ("NUL", "file-link\0.py".to_owned()),
        ("line end", "a\nb".to_owned()),
        ("hooks of git", ".git/hooks/pre-commit".to_owned()),
        ("git in other letters", "sub/.GIT/config".to_owned()),
        ("nothing", String::new()),
        ("the workspace", ".".to_owned()),
        ("too long", "x/".repeat(600) + "y"),
    ]
    .to_vec()
}

#[test]
fn no_shape_of_path_or_link_leads_out_with_any_tool() {
    let mut room = Room::new();
    let out = room.dir.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("secret"), SECRET).unwrap();
    let shapes = shapes(&room.space(), &out);
    assert!(shapes.len() >= 24);
    let before = (contents(&out), contents(&room.space()).len());
    for (what, path) in &shapes {
        for told in [
            room.create(path, "written"),
            room.read(path),
            room.edit(path, SECRET, "edited"),
            room.create(path, "written again"),
        ] {
            assert!(told["code"].is_string(), "{what}: {told}");
            assert!(!told.to_string().contains(SECRET), "{what}: {told}");
        }
    }
    let listed = room.call("list_files", &json!({})).to_string();
    assert!(!listed.contains("secret"), "{listed}");
    assert_eq!((contents(&out), contents(&room.space()).len()), before);
    // Names that only look like it.
    for path in ["a..b", "..c/d", "%2e%2e/e", "..\\f", "~/g", "…/h"] {
        assert_eq!(room.create(path, "in")["success"], true, "{path}");
    }
    assert_eq!(contents(&out), before.0);
}

#[test]
fn a_folder_that_becomes_a_link_at_any_moment_leads_nowhere() {
    let mut room = Room::new();
    let (out, space) = (room.dir.path().join("out"), room.space());
    fs::create_dir(&out).unwrap();
    fs::create_dir(space.join("real")).unwrap();
    symlink(&out, space.join("bad")).unwrap();
    let done = AtomicBool::new(false);
    let mut outcomes = BTreeMap::<String, usize>::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let swap = |a: &str, b: &str| drop(fs::rename(space.join(a), space.join(b)));
            while !done.load(Ordering::Relaxed) {
                swap("real", "x");
                swap("bad", "x2");
                swap("x2", "real");
                swap("real", "bad");
                swap("x", "real");
            }
        });
        for number in 0..100 {
            let told = room.create(&format!("real/{number}"), "in");
            *outcomes.entry(told["code"].to_string()).or_default() += 1;
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(contents(&out).is_empty(), "{outcomes:?}");
}

#[test]
fn whoever_saves_while_a_file_is_written_keeps_their_bytes() {
    let mut room = Room::new();
    room.create("a.py", "0\n");
    let call = FileCall::parse("create_file", r#"{"path":"a.py","content":"agent\n"}"#).unwrap();
    let file = room.space().join("a.py");
    // Each saves by renaming, as editors do; whatever was saved last and told as done is there.
    let saves = AtomicBool::new(false);
    let mut replaced = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..=300 {
                fs::write(file.with_extension("new"), format!("user {number}\n")).unwrap();
                fs::rename(file.with_extension("new"), &file).unwrap();
            }
            saves.store(true, Ordering::Relaxed);
        });
        while !saves.load(Ordering::Relaxed) {
            let change = room.workspace.act(&mut room.seen, &call).change;
            replaced.extend(change.and_then(|change| change.before).map(|blob| blob.0));
        }
    });
    // The last save is there, or what replaced it knew it.
    let last = b"user 300\n".to_vec();
    assert!(fs::read(&file).unwrap() == last || replaced.contains(&last));
}

fn edit(path: &str, before: &str, after: &str) -> FileEdit {
    let hash = |text: &str| (!text.is_empty()).then(|| Hash::of(text.as_bytes()));
    FileEdit { path: FileName::parse(path).unwrap(), before: hash(before), after: hash(after) }
}

#[test]
fn a_rewind_takes_back_the_candidate_s_edits_and_nobody_else_s() {
    let hash = |text: &str| (!text.is_empty()).then(|| Hash::of(text.as_bytes()));
    let plan = |edits: &[FileEdit], now: &'static str| {
        let (back, kept) = rewind(edits, |_| hash(now));
        (back.first().map(|it| it.to), kept.first().map(|(_, why)| *why))
    };
    let row = [edit("a", "", "v1"), edit("a", "v1", "v2"), edit("b", "x", "y")];
    assert_eq!(plan(&row[..2], "v2"), (Some(None), None), "it goes");
    assert_eq!(plan(&row[1..2], "v2"), (Some(hash("v1")), None));
    assert_eq!(plan(&row[..2], "user"), (None, Some(KeptBack::ChangedSince)));
    assert_eq!(plan(&row[..2], ""), (None, Some(KeptBack::ChangedSince)), "removed by the user");
    let between = [edit("a", "v0", "v1"), edit("a", "user", "v3")];
    assert_eq!(plan(&between, "v3"), (Some(hash("user")), Some(KeptBack::ChangedBetween)));
    let there_and_back = [edit("a", "v0", "v1"), edit("a", "v1", "v0")];
    assert_eq!(plan(&there_and_back, "v0"), (None, None));
    let (back, _) = rewind(&row, |path| hash(if path.as_str() == "a" { "v2" } else { "y" }));
    assert_eq!(back.len(), 2);
}

#[test]
fn a_rewind_is_carried_out_as_changes_like_any_other() {
    let mut room = Room::new();
    fs::write(room.space().join("b.py"), "user\n").unwrap();
    let mut edits = Vec::new();
    let mut blobs = BTreeMap::new();
    room.read("b.py");
    for (path, content) in [("a/new.py", "1\n"), ("b.py", "2\n"), ("a/new.py", "3\n")] {
        let arguments = json!({ "path": path, "content": content }).to_string();
        let call = FileCall::parse("create_file", &arguments).unwrap();
        let change = room.workspace.act(&mut room.seen, &call).change.unwrap();
        edits.push(change.edit());
        for blob in [change.before, change.after].into_iter().flatten() {
            blobs.insert(Hash::of(&blob.0), blob);
        }
    }
    let now = |path: &FileName| room.workspace.content(path).unwrap().map(|bytes| Hash::of(&bytes));
    let (back, kept) = rewind(&edits, now);
    assert!(kept.is_empty());
    for PutBack { path, now, to } in back {
        let blob = |hash: Option<Hash>| hash.map(|hash| blobs[&hash].clone());
        room.workspace.carry_out(&FileChange { path, before: blob(now), after: blob(to) }).unwrap();
    }
    assert!(!room.space().join("a/new.py").exists());
    assert_eq!(room.text("b.py"), "user\n");
}
