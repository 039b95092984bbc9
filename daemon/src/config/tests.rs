//! Files and variables in, settings or one sentence out.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::Path;

use tracing::Level;
use vosim_store::BackendKind;

use super::settings::SETTINGS;
use super::*;

fn load(text: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.toml");
    std::fs::write(&file, text).unwrap();
    let variables: BTreeMap<_, _> = variables.iter().copied().collect();
    let loaded = Config::load_with(&file, &|name| variables.get(name).map(OsString::from));
    loaded.map_err(|error| error.to_string().replace(dir.path().to_str().unwrap(), "DIR"))
}

#[test]
fn without_a_file_the_defaults_hold() {
    let config = Config::load_with(Path::new("/nowhere/config.toml"), &|_| None).unwrap();
    assert_eq!(config.store.backend, BackendKind::Sled);
    assert_eq!(config.log.level, Level::INFO);
    assert!(config.show().settings.iter().all(|setting| setting.source == "default"));
}

#[test]
fn the_file_wins_over_defaults_and_the_environment_over_the_file() {
    let text = "
        [log]
        level = \"warn\"
        keep_files = 2
        [evaluator]
        user = 1000
        python = \"/opt/python\"
        warm = 0
        [sessions]
        idle_sleep_secs = 30
    ";
    let variables = [("VOSIM_LOG", "debug"), ("VOSIM_PYTHON", ""), ("VOSIM_NODE", "/n n")];
    let config = load(text, &variables).unwrap();
    assert_eq!(config.log.level, Level::DEBUG);
    assert_eq!(config.log.keep_files, 2);
    assert_eq!(config.evaluator.user, Some(Account { uid: 1000, last: 1000, gid: 1000 }));
    assert_eq!(config.evaluator.python, Some("/opt/python".into()));
    assert_eq!(config.evaluator.node, Some("/n n".into()));
    assert_eq!((config.evaluator.warm, load("", &[]).unwrap().evaluator.warm), (0, 2));
    let sources: BTreeMap<_, _> =
        config.show().settings.into_iter().map(|it| (it.key, (it.value, it.source))).collect();
    assert_eq!(sources["log.level"], ("debug".into(), "environment".to_owned()));
    assert_eq!(sources["log.keep_files"], (2.into(), "file".to_owned()));
    assert_eq!(sources["model.kind"], ("offline".into(), "default".to_owned()));
}

#[test]
fn what_is_shown_can_be_written_into_the_file() {
    let shown = load("", &[]).unwrap().show().settings;
    assert_eq!(shown.len(), SETTINGS.len());
    for setting in shown.iter().filter(|setting| !setting.value.is_null()) {
        let (section, key) = setting.key.split_once('.').unwrap();
        let text = format!("[{section}]\n{key} = {}", setting.value);
        load(&text, &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn a_sentence_model_is_named_by_the_paths_of_its_files() {
    let text = "[memory]\nmodel = \"/m/model.onnx\"\nvocabulary = \"/m/vocab.txt\"\n";
    let memory = load(text, &[]).unwrap().memory;
    assert_eq!(memory.model, Some("/m/model.onnx".into()));
    assert_eq!((memory.vocabulary, memory.server_model), (Some("/m/vocab.txt".into()), None));
    load("[memory]\nmodel = \"model.onnx\"\n", &[]).unwrap_err();
}

#[test]
fn every_mistake_has_one_sentence_with_key_line_and_what_is_accepted() {
    let cases = [
        (
            "[log]\nlevle = \"warn\"",
            "DIR/config.toml, line 2: there is no setting log.levle; \
             known are log.level, log.keep_files, log.file_max_bytes",
        ),
        (
            "\n[logs]\n",
            "DIR/config.toml, line 2: there is no setting logs; \
             known are [store], [evaluator], [sessions], [attempt], [log], [model], [task], [memory]",
        ),
        ("level = 1", "DIR/config.toml, line 1: there is no setting level; it belongs under [log]"),
        (
            "[sessions]\nbackend = \"redb\"",
            "DIR/config.toml, line 2: there is no setting sessions.backend; \
             it belongs under [store]",
        ),
        (
            "[sessions]\nwarmth = 1",
            "DIR/config.toml, line 2: there is no setting sessions.warmth; \
             known are sessions.idle_sleep_secs",
        ),
        (
            "[log]\n\nlevel = \"loud\"",
            "DIR/config.toml, line 3: log.level takes \
             \"error\", \"warn\", \"info\", \"debug\" or \"trace\", not \"loud\"",
        ),
        (
            "[log]\nkeep_files = 0",
            "DIR/config.toml, line 2: log.keep_files takes a number of files from 1 to 100, not 0",
        ),
        (
            "[log]\nkeep_files = \"5\"",
            "DIR/config.toml, line 2: log.keep_files takes \
             a number of files from 1 to 100, not \"5\"",
        ),
        (
            "[evaluator]\nuser = 0",
            "DIR/config.toml, line 2: evaluator.user takes \
             a user id, \"UID:GID\" or a range \"FIRST-LAST\", above 0, not 0",
        ),
        (
            "[evaluator]\nwarm = 9",
            "DIR/config.toml, line 2: evaluator.warm takes \
             a number of waiting interpreters from 0 to 8, not 9",
        ),
        (
            "evaluator.python = \"python3\"",
            "DIR/config.toml, line 1: evaluator.python takes \
             the absolute path of a Python interpreter, not \"python3\"",
        ),
        (
            "[model.kind]\na = 1",
            "DIR/config.toml, line 1: model.kind takes \"offline\" or \"openai\", not a section",
        ),
        (
            "[model]\naddress = \"ftp://there\"",
            "DIR/config.toml, line 2: model.address takes \
             the address of a server that begins with http and holds no key, not what stands there",
        ),
        (
            "[model]\nkey_variable = \"sk-1234\"",
            "DIR/config.toml, line 2: model.key_variable takes \
             the name of the variable that holds the key, not the key, not what stands there",
        ),
    ];
    for (text, sentence) in cases {
        assert_eq!(load(text, &[]).unwrap_err(), sentence, "{text}");
    }
    let variable = load("", &[("VOSIM_LOG", "loud")]).unwrap_err();
    assert!(variable.starts_with("VOSIM_LOG: log.level takes \"error\""), "{variable}");
}

#[test]
fn what_is_not_toml_is_named_with_its_line() {
    for text in ["[log]\nlevel = ", "[log]\nlevel = 1\nlevel = 2", "[log\n", "\u{0}"] {
        let error = load(text, &[]).unwrap_err();
        assert!(error.starts_with("DIR/config.toml, line "), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_used_is_refused_and_not_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config.toml");
    let sentence = || Config::load_with(&file, &|_| None).unwrap_err().to_string();
    std::fs::create_dir(&file).unwrap();
    let shown = file.display();
    let told = format!("cannot be read: it is a folder; move it away: mv {shown} {shown}.old");
    assert!(sentence().ends_with(&told), "{}", sentence());
    std::fs::remove_dir(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(sentence().contains("cannot be read: it is not a file; move it away: mv "));
    std::fs::remove_file(&file).unwrap();
    symlink(&file, &file).unwrap();
    assert!(sentence().ends_with("it is a symbolic link"));
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, b"[log]\n# \xff\n").unwrap();
    assert!(sentence().ends_with("line 2: this is not UTF-8 text"));
    std::fs::write(&file, vec![b'\n'; 70_000]).unwrap();
    assert!(sentence().contains("it has 70000 bytes, more than the 65536 allowed"));
}

#[test]
fn a_file_that_others_could_change_is_not_obeyed() {
    use std::os::unix::fs::PermissionsExt as _;
    let top = tempfile::tempdir().unwrap();
    let dir = top.path().join("vosim");
    std::fs::create_dir(&dir).unwrap();
    let file = dir.join("config.toml");
    std::fs::write(&file, "[log]\nkeep_files = 2\n").unwrap();
    let chmod = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let load = |file: &Path| {
        let loaded = Config::load_with(file, &|_| None);
        loaded.map(drop).map_err(|error| error.to_string().replace(dir.to_str().unwrap(), "DIR"))
    };
    for mode in [0o600, 0o644, 0o444] {
        chmod(&file, mode);
        assert_eq!(load(&file), Ok(()), "{mode:o}");
    }
    let refused = |why: &str| Err(format!("DIR/config.toml is not obeyed: {why}"));
    for mode in [0o666, 0o602] {
        chmod(&file, mode);
        assert_eq!(load(&file), refused(&format!("others may write to it (mode {mode:o})")));
    }
    chmod(&file, 0o600);
    for shut in [&dir, &top.path().to_owned()] {
        chmod(shut, 0o777);
        let parent = "others may replace it, because they may write to its parent directory";
        assert_eq!(load(&file), refused(parent));
        chmod(shut, 0o700);
    }
    let link = dir.join("link.toml");
    symlink(&file, &link).unwrap();
    let why = load(&link).unwrap_err();
    assert_eq!(why, "DIR/link.toml is not obeyed: it is a symbolic link");
    if nix::unistd::geteuid().is_root() {
        std::os::unix::fs::chown(&file, Some(1234), None).unwrap();
        assert_eq!(load(&file), refused("it belongs to user 1234, not to you"));
    }
}
