//! The languages: which one a file is in, what is said where nobody can tell or nothing runs it, and
//! that Node judges with no more than Landlock and a filter around it.

use vosim_needs::{has_root, newer_node};
use vosim_tests::{CORRECT, Ctl, Home, RUN, Ran, TestDaemon};

use crate::support::{count, last, log};

const RIGHT: &str = "
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    if (!this.entries.has(key)) return -1;
    const value = this.entries.get(key);
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  put(key, value) {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.capacity) this.entries.delete(this.entries.keys().next().value);
  }
}
module.exports = { LRUCache };
";

/// Forgets that reading a key makes it the most recent.
fn wrong() -> String {
    let moved =
        "    this.entries.delete(key);\n    this.entries.set(key, value);\n    return value;";
    assert!(RIGHT.contains(moved));
    RIGHT.replace(moved, "    return value;")
}

/// Hides runtimes from the daemon and what it starts.
const WITHOUT: &str = r#"
for program in $HIDDEN; do
    if [ -e "$program" ]; then mount --bind /dev/null "$program"; fi
done
PATH=/nonexistent exec "$0" "$@"
"#;

/// A daemon with an empty PATH on a machine where those programs are not; none where that cannot
/// be arranged.
fn without(hidden: &str) -> Option<TestDaemon> {
    if !has_root() {
        return None;
    }
    let home = Home::new();
    let mut command = home.wrapped(&["unshare", "-m", "sh", "-c", WITHOUT], "vosimd");
    command.env("HIDDEN", hidden).args(RUN);
    Some(TestDaemon::start_by(home, command))
}

const NODES: &str = "/usr/bin/node /usr/local/bin/node /usr/bin/nodejs /usr/local/bin/nodejs";

fn started() -> TestDaemon {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon
}

fn language_of_last(daemon: &TestDaemon) -> String {
    last(&log(daemon), "CODE_SUBMITTED")["language"].as_str().unwrap().to_owned()
}

#[test]
fn a_language_is_chosen_by_the_name_of_the_file() {
    let daemon = started();
    for name in ["solution.js", "Solution.JS", "a b.cjs", "x.mjs"] {
        let text = if name.ends_with("mjs") {
            RIGHT.replace("module.exports =", "export")
        } else {
            RIGHT.to_owned()
        };
        daemon.home().file(name, text);
        let ran = daemon.command(["submit", name, "--again"]).run();
        assert!(ran.ok().contains("12/12"), "{ran}");
        assert_eq!(language_of_last(&daemon), "javascript", "{name}");
    }
    daemon.home().file("solution.py", CORRECT.text());
    let ran = daemon.ctl("submit solution.py");
    assert!(ran.ok().contains("12/12"), "{ran}");
    assert_eq!(language_of_last(&daemon), "python");
}

#[test]
fn a_language_that_is_named_goes_before_the_name_of_the_file() {
    let daemon = started();
    daemon.home().file("solution.txt", RIGHT);
    daemon.home().file("solution.js", CORRECT.text());
    for (words, language) in [
        ("submit solution.txt --language javascript", "javascript"),
        ("submit solution.js --language python", "python"),
    ] {
        let ran = daemon.ctl(words);
        assert!(ran.ok().contains("12/12"), "{ran}");
        assert_eq!(language_of_last(&daemon), language);
        let own = words.replace("submit", "test");
        assert!(daemon.ctl(&own).ok().contains("passed"), "{own}");
    }
}

#[test]
fn a_wrong_answer_in_javascript_is_told_in_its_words() {
    let daemon = started();
    daemon.home().file("solution.js", wrong());
    let ran = daemon.ctl("submit solution.js");
    let told = ran.ok();
    assert!(told.contains("Failed") && told.contains("7/12"), "{ran}");
    assert!(told.contains("expected: -1") && told.contains("actual:   2"), "{ran}");
}

#[test]
fn a_language_that_nobody_can_tell_is_one_sentence_and_one_hint() {
    let daemon = started();
    let mut screens = String::new();
    for name in ["solution.rb", "solution", ".js", "größe.pyc"] {
        daemon.home().file(name, RIGHT);
        for command in ["submit", "test"] {
            let ran = daemon.command([command, name]).run();
            ran.refused();
            screens += &ran.to_string();
        }
    }
    for command in ["submit", "test"] {
        screens += &daemon.command([command, "solution", "--language", "cobol"]).run().to_string();
    }
    insta::assert_snapshot!("no_language", screens);
    assert_eq!(count(&log(&daemon), "CODE_SUBMITTED"), 0);
}

/// What is said of a submission, and that nothing of it counted.
fn refused(daemon: &TestDaemon, file: &str) -> Ran {
    let ran = daemon.command(["submit", file]).run();
    assert_eq!(ran.status, 1, "{ran}");
    let records = log(daemon);
    assert_eq!((count(&records, "EVAL_ABORTED"), count(&records, "EVAL_RESULT")), (1, 0), "{ran}");
    ran
}

#[test]
fn without_node_one_sentence_names_the_package_and_python_goes_on() {
    let Some(daemon) = without(NODES) else { return };
    let warned = daemon.ctl("start --no-file --language javascript");
    assert!(warned.ok().contains("LRU Cache"), "{warned}");
    assert!(warned.stderr.contains("Nothing in javascript can be judged here yet"), "{warned}");
    daemon.home().file("solution.js", RIGHT);
    insta::assert_snapshot!("no_node", refused(&daemon, "solution.js"));
    let own = daemon.ctl("test solution.js");
    assert!(own.status == 1 && own.stderr.contains("`nodejs`"), "{own}");
    let doctor = daemon.ctl("doctor");
    assert!(doctor.stdout.contains("nodejs"), "{doctor}");
    daemon.home().file("solution.ts", RIGHT);
    let typed = daemon.ctl("submit solution.ts");
    let said = "No Node.js 22.18 or newer was found.";
    assert!(typed.status == 1 && typed.stderr.contains(said), "{typed}");
    assert_eq!(count(&log(&daemon), "EVAL_RESULT"), 0, "nothing of it counted");
    daemon.home().file("solution.py", CORRECT.text());
    let ran = daemon.ctl("submit solution.py");
    assert!(ran.ok().contains("12/12"), "{ran}");
}

#[test]
fn typescript_is_started_judged_and_shown_with_a_node_that_takes_types_away() {
    let Some(node) = newer_node() else { return };
    let home = Home::new();
    home.config(&format!("[evaluator]\nnode = {node:?}\n"));
    let daemon = TestDaemon::start_in(home);
    daemon.ctl("start --language typescript").ok();
    let file = daemon.home().work().join("lru_cache.ts");
    let starter = std::fs::read_to_string(file).unwrap();
    assert!(starter.contains("  get(key: number): number {}\n"), "{starter}");
    let typed = RIGHT
        .replace("module.exports =", "export")
        .replace("  get(key) {", "  get(key: number): number {")
        .replace(
            "  constructor",
            "  capacity: number;\n  entries: Map<number, number>;\n  constructor",
        );
    daemon.home().file("lru_cache.ts", format!("enum Side {{ Left }}\n{typed}"));
    let refused = daemon.ctl("submit lru_cache.ts");
    let told = refused.ok();
    assert!(told.contains("lru_cache.ts, line 1") && told.contains("0/12"), "{refused}");
    assert!(told.contains("An `enum` has to be compiled"), "{refused}");
    daemon.home().file("lru_cache.ts", typed);
    let ran = daemon.ctl("submit lru_cache.ts");
    assert!(ran.ok().contains("12/12"), "{ran}");
    assert_eq!(language_of_last(&daemon), "typescript");
    daemon.ctl("end").ok();
    let shown = daemon.ctl("give-up");
    assert!(shown.ok().contains("get(key: number): number {"), "{shown}");
    assert!(!shown.ok().contains("module.exports"), "{shown}");
    let doctor = daemon.ctl("doctor");
    assert!(doctor.stdout.contains("ok    typescript"), "{doctor}");
}

#[test]
fn without_python_one_sentence_names_the_package_and_node_goes_on() {
    let Some(daemon) = without("/usr/bin/python3 /usr/local/bin/python3") else { return };
    daemon.ctl("start --no-file").ok();
    daemon.home().file("solution.py", CORRECT.text());
    insta::assert_snapshot!("no_python", refused(&daemon, "solution.py"));
    daemon.home().file("solution.js", RIGHT);
    let ran = daemon.ctl("submit solution.js");
    assert!(ran.ok().contains("12/12"), "{ran}");
}

/// Leads to the daemon, in a user namespace that allows no further one.
const WITHOUT_NAMESPACES: [&str; 7] = [
    "unshare",
    "--user",
    "--map-user=1000",
    "--keep-caps",
    "sh",
    "-c",
    "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"",
];

#[test]
fn without_namespaces_both_languages_are_judged_right_and_wrong() {
    let home = Home::new();
    let mut command = home.wrapped(&WITHOUT_NAMESPACES, "vosimd");
    command.args(RUN);
    let daemon = TestDaemon::start_by(home, command);
    let doctor = Ctl::new(daemon.home(), ["doctor"]).run();
    assert!(doctor.stdout.contains("level C"), "{doctor}");
    daemon.ctl("start --no-file").ok();
    daemon.home().file("right.js", RIGHT);
    daemon.home().file("wrong.js", wrong());
    daemon.home().file("right.py", CORRECT.text());
    for (file, passed) in [("wrong.js", false), ("right.js", true), ("right.py", true)] {
        let ran = daemon.command(["submit", file]).run();
        assert_eq!(ran.ok().contains("12/12"), passed, "{ran}");
    }
}
