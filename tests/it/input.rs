//! Files as people really have them: each is judged, or refused in one clear line.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;

use vosim_tests::{CORRECT, Ctl, Home, TestDaemon};

use crate::support::{last, log, types};

fn started() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon
}

#[test]
fn files_that_cannot_be_judged_are_refused_in_one_line_and_count_for_nothing() {
    let daemon = started();
    let home = daemon.home();
    home.file("large.py", vec![b'#'; 512 * 1024 + 1]);
    home.file("notes.txt", "x = 1\n");
    std::fs::create_dir(home.work().join("folder.py")).unwrap();
    nix_fifo(&home.work().join("pipe.py"));
    let mut said = String::new();
    for file in ["missing.py", "folder.py", "large.py", "notes.txt", "pipe.py"] {
        let ran = daemon.command(["submit", file]).run();
        ran.refused();
        said += &ran.to_string();
    }
    insta::assert_snapshot!("bad_files", said);
    assert_eq!(types(&daemon).len(), 2, "no submission was counted");
}

#[test]
fn an_untouched_starter_is_judged_only_on_request() {
    let daemon = TestDaemon::start();
    daemon.ctl("start").ok();
    let refused = daemon.ctl("submit lru_cache.py");
    let said = refused.refused();
    assert!(said.contains("starter file") && said.contains("--again"), "{refused}");
    assert_eq!(types(&daemon).len(), 2, "no submission was counted");
    let judged = daemon.ctl("submit lru_cache.py --again");
    assert!(judged.ok().contains("0/12"), "{judged}");
    daemon.ctl("replay --verify").ok();
}

fn nix_fifo(path: &std::path::Path) {
    nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap();
}

#[test]
fn a_file_that_may_not_be_read_is_named() {
    let daemon = started();
    let file = daemon.home().file("secret.py", CORRECT.text());
    set_permissions(&file, Permissions::from_mode(0o000)).unwrap();
    let root = nix::unistd::geteuid().is_root();
    let without = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
    let wrapper: &[&str] = if root { &without } else { &[] };
    let ran = Ctl::program_by(daemon.home(), wrapper, "vosimctl", ["submit", "secret.py"]).run();
    assert!(ran.refused().contains("Cannot read secret.py"), "{ran}");
    assert!(ran.stderr.contains("the permissions of secret.py keep you out (mode 000)"), "{ran}");
    assert!(ran.stderr.contains("Run: chmod u+rwX secret.py"), "{ran}");
}

#[test]
fn what_python_accepts_is_accepted() {
    let daemon = started();
    let code = CORRECT.text();
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(code.bytes());
    let mut latin = b"# -*- coding: latin-1 -*-\n# caf\xe9\n".to_vec();
    latin.extend(code.bytes());
    let files: [(&str, Vec<u8>); 6] = [
        ("carriage returns.py", code.replace('\n', "\r\n").into()),
        ("marked.py", marked),
        ("latin.py", latin),
        ("tabs.py", code.replace("    ", "\t").into()),
        ("größe – 容量.py", code.clone().into()),
        ("no end of line.py", code.trim_end().into()),
    ];
    for (name, bytes) in files {
        let file = daemon.home().file(name, bytes);
        let ran = daemon.command(["submit".as_ref(), "--again".as_ref(), file.as_os_str()]).run();
        assert!(ran.ok().contains("12/12"), "{name}: {ran}");
        let submitted = last(&log(&daemon), "CODE_SUBMITTED");
        assert_eq!(submitted["file_path"], file.to_str().unwrap());
    }
}

#[test]
fn what_python_refuses_is_an_import_error_with_its_line() {
    let daemon = started();
    let files: [(&str, &[u8], &str); 3] = [
        ("empty.py", b"", "LRUCache is not defined"),
        ("mixed.py", b"class LRUCache:\n    def get(self):\n\treturn 1\n", "line 3"),
        ("latin.py", b"x = '\xe9'\n", "utf-8"),
    ];
    for (name, bytes, words) in files {
        let file = daemon.home().file(name, bytes);
        let ran = daemon.command(["submit".as_ref(), file.as_os_str()]).run();
        assert!(ran.ok().contains("IMPORT_ERROR"), "{name}: {ran}");
        let said: Vec<&str> = ran.stdout.split_whitespace().collect();
        assert!(said.join(" ").contains(words), "{name}: {ran}");
    }
}

#[test]
fn folders_with_blanks_and_foreign_letters_work_throughout() {
    let home = Home::with_temp_prefix("vosim übung – 練習 ");
    let daemon = TestDaemon::start_in(home);
    let started = daemon.ctl("start");
    assert!(started.ok().contains("vosimctl submit"), "{started}");
    daemon.home().file("lru_cache.py", CORRECT.text());
    assert!(daemon.ctl("submit lru_cache.py").ok().contains("12/12"));
    let ended = daemon.ctl("end");
    let exports = daemon.home().path().join("data/vosim");
    assert!(exports.exists(), "{ended}");
    daemon.ctl("replay --verify").ok();
}

#[test]
fn start_writes_a_file_and_never_over_an_existing_one() {
    let daemon = TestDaemon::start();
    daemon.home().file("lru_cache.py", "mine\n");
    let started = daemon.ctl("start");
    assert!(started.ok().contains("lru_cache.py exists already"), "{started}");
    assert!(started.stdout.contains("lru_cache_2.py"), "another name is offered: {started}");
    let kept = std::fs::read_to_string(daemon.home().work().join("lru_cache.py")).unwrap();
    assert_eq!(kept, "mine\n");
    daemon.ctl("problem show --starter lru_cache_2.py").ok();
    let text = std::fs::read_to_string(daemon.home().work().join("lru_cache_2.py")).unwrap();
    assert!(text.contains("class LRUCache"));
}
