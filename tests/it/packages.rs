//! People's own problems on the real programs: written, proved, kept, started, taken away, and those
//! that are nothing of the kind.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use vosim_tests::{Ran, TestDaemon};

/// The package that `problems new` writes, with its right program beside it.
fn written(daemon: &TestDaemon, name: &str, form: &str) -> PathBuf {
    daemon.ctl(&format!("problems new {name} --form {form}")).ok();
    let folder = daemon.home().work().join(name);
    let right = match form {
        "class" => "counts.py",
        _ => "one_pass.py",
    };
    let from = folder.join("submissions/accepted").join(right);
    fs::copy(from, daemon.home().work().join(format!("{name}.right.py"))).unwrap();
    folder
}

fn replace(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

/// One line that says why, one that says where everything is shown, and nothing was started.
#[track_caller]
fn not_started(daemon: &TestDaemon, name: &str) -> String {
    let ran: Ran = daemon.ctl(&format!("start ./{name} --no-file --new"));
    let said = ran.refused().to_owned();
    assert!(said.contains("problems check ") && said.contains(name), "{said}");
    said.lines().next().unwrap().to_owned()
}

#[test]
fn a_problem_of_ones_own_is_written_proved_once_kept_and_taken_away_while_its_sessions_go_on() {
    let mut daemon = TestDaemon::start();
    let birds = written(&daemon, "birds", "class");
    written(&daemon, "calm", "function");
    let again = daemon.ctl("problems new birds");
    assert!(again.refused().contains("nothing is written over"), "{again}");
    let checked = daemon.ctl("problems check birds");
    let none = "none .vosim/generator.py: every session has the same hidden inputs";
    assert!(checked.ok().contains(none), "{checked}");
    assert!(checked.ok().ends_with("Birds: proved, 5 of 5 programs as expected\n"), "{checked}");

    // Every kind can be about it, by its folder, and the proof is made once.
    daemon.ctl("start ./birds --no-file").ok();
    daemon.ctl("submit birds.right.py --exit-code").ok();
    daemon.ctl("end").ok();
    daemon.ctl("attempt start ./calm --no-file").ok();
    daemon.ctl("end").ok();
    daemon.ctl("interview start --problem ./birds --hold").ok();
    let proofs = daemon.ctl("problem show ./birds");
    assert!(proofs.ok().contains("A bird that was never seen"), "{proofs}");

    daemon.ctl("problems add birds").ok();
    let twice = daemon.ctl("problems add ./birds");
    assert!(twice.ok().contains("was among your problems already"), "{twice}");
    let list = daemon.ctl("problems list");
    let line = "birds Birds (yours, rung 1, 5 tests, python, cc0). Last: solved unaided.";
    let told = list.ok().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(line), "{list}");
    assert!(daemon.ctl("review").ok().contains("Birds (birds)"));
    daemon.kill();
    daemon.start_again();
    let json = daemon.ctl("problems --json").json();
    let own: Vec<_> = json.iter().filter(|line| line["own"] == true).collect();
    assert_eq!((own.len(), &own[0]["unproved"]), (1, &serde_json::Value::Null));

    // What was kept is a copy; another package of the same id needs a way out.
    replace(&birds, "statement/problem.en.md", "At a bird feeder", "At a bird table");
    let other = daemon.ctl("problems add ./birds");
    let said = other.refused();
    assert!(said.contains("another problem 'birds' already"), "{other}");
    assert!(said.contains("vosimctl problems remove"), "{other}");
    assert!(said.contains("give this one another id"), "{other}");
    daemon.ctl("start birds --no-file --new").ok();
    let asked = daemon.ctl("problems remove birds");
    assert!(asked.refused().contains("needs confirmation"), "{asked}");
    let ours = daemon.ctl("problems remove lru_cache --yes");
    assert!(ours.refused().contains("comes with vosim"), "{ours}");
    daemon.ctl("problems remove birds --yes").ok();
    daemon.ctl("problems remove birds --yes").refused();
    daemon.ctl("start birds --new").refused();
    daemon.ctl("submit birds.right.py --exit-code").ok();
    daemon.ctl("replay --verify").ok();
    daemon.ctl("end").ok();
    let hint = daemon.ctl("start calm --new");
    assert!(hint.refused().contains("write ./calm"), "{hint}");
}

#[test]
fn a_package_that_is_not_proved_starts_nothing_and_says_why_in_one_line() {
    let daemon = TestDaemon::start();
    let make = |name: &str| written(&daemon, name, "function");
    let of = |name: &str| not_started(&daemon, name);

    // A program that does not keep its promise, and one that the promise forgets.
    let broken = make("broken");
    replace(&broken, "submissions/accepted/one_pass.py", "<= limit", "< limit");
    assert!(of("broken").contains("submissions/accepted/one_pass.py: PARTIAL_PASS"));
    daemon.ctl("problems add ./broken").refused();
    replace(&broken, "submissions/accepted/one_pass.py", "< limit", "<= limit");
    daemon.ctl("start ./broken --no-file").ok();

    let endless = make("endless");
    fs::write(
        endless.join(".vosim/generator.py"),
        "def generate(seed):\n    while True:\n        pass\n",
    )
    .unwrap();
    let said = of("endless");
    assert!(said.contains(".vosim/generator.py: with seed 1: "), "{said}");

    let toml = make("toml");
    replace(&toml, ".vosim/interface.toml", "rung = 1", "rung = = 1");
    assert!(of("toml").contains(".vosim/interface.toml: line 4"), "{}", of("toml"));

    let pipe = make("pipe");
    fs::remove_file(pipe.join(".vosim/cases.json")).unwrap();
    nix::unistd::mkfifo(&pipe.join(".vosim/cases.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(of("pipe").contains(".vosim/cases.json: file: is a link or a special file"));

    let round = make("round");
    symlink("..", round.join("submissions/round")).unwrap();
    assert!(of("round").contains("submissions/round: file: is a link or a special file"));

    let huge = make("huge");
    let file = fs::File::create(huge.join("submissions/accepted/huge.py")).unwrap();
    file.set_len(1 << 40).unwrap();
    assert!(of("huge").contains("submissions/accepted/huge.py: size: at most 8 MiB a file"));

    // How a session came out would be told of the problem that bears the id already.
    let taken = make("taken");
    replace(&taken, ".vosim/interface.toml", "id = \"taken\"", "id = \"lru_cache\"");
    let checked = daemon.ctl("problems check taken");
    assert_eq!(checked.status, 1, "{checked}");
    assert!(checked.stdout.contains("FAIL id lru_cache: a problem that comes with vosim"));
    assert!(checked.stdout.contains(": proved, but its id is taken, "), "{checked}");
    for start in
        ["start ./taken --no-file --new", "attempt start ./taken --new", "problems add ./taken"]
    {
        let said = daemon.ctl(start);
        let told = said.refused();
        assert!(
            told.contains("'lru_cache' comes with vosim") && told.contains("another id"),
            "{said}"
        );
    }

    fs::create_dir(daemon.home().work().join("empty")).unwrap();
    assert!(of("empty").contains("problem.yaml: is missing"));
    let nowhere = of("nowhere");
    assert!(nowhere.contains("nowhere: it is not there"), "{nowhere}");
    assert_eq!(daemon.ctl("list --json").json().len(), 1, "only the one that was mended");
}
