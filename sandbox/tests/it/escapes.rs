//! Escapes that a run must not make. Each denial has a control outside, where the same attempt
//! works.

use std::path::Path;

use crate::harness::{printed, spec};

#[test]
fn nothing_but_the_runtime_exists() {
    assert!(Path::new("/var").exists() && Path::new("/proc/self").exists());
    let code = "import posix\nprint(sorted(set(posix.listdir('/')) - {'lib', 'lib64', 'usr'}))\n\
                print(posix.listdir('/proc'), posix.listdir('/tmp'), posix.listdir('/work'))\n\
                print(sorted(posix.listdir('/etc')), sorted(posix.listdir('/dev')))";
    let shown = printed(code);
    let expected = "['dev', 'etc', 'proc', 'tmp', 'work']\n[] [] []\n\
                    ['group', 'passwd'] ['null', 'urandom', 'zero']";
    assert_eq!(shown, expected);
}

#[test]
fn it_is_nobody_in_particular_and_has_no_capability() {
    let code = "import posix\nprint(posix.getuid(), posix.getgid(), posix.getpid(), posix.getsid(0))\n\
                print(posix.uname().nodename)\n\
                for call in (lambda: posix.setuid(0), lambda: posix.chroot('/'), \
                lambda: posix.nice(-1)):\n\
                \x20try: call(); print('done')\n except OSError as error: print(error.errno)";
    assert_eq!(printed(code), "1000 1000 2 2\nvosim\n22\n1\n1");
}

#[test]
fn an_interpreter_below_a_closed_home_is_shown_but_the_home_is_not() {
    // Only root can make a directory that the run's account could not open by itself.
    let root = nix::unistd::geteuid().is_root();
    let home = tempfile::tempdir().unwrap();
    let runtime = home.path().join("runtime");
    std::fs::create_dir(&runtime).unwrap();
    std::fs::write(runtime.join("data"), "inside").unwrap();
    std::fs::write(home.path().join("secret"), "outside").unwrap();
    let code = format!(
        "import posix\nprint(open({0:?} + '/data').read(), posix.listdir({0:?} + '/..'))",
        runtime.to_str().unwrap()
    );
    let mut asked = spec(&code);
    asked.mounts.push(vosim_sandbox_spec::Mount { path: runtime, writable: false });
    let report = crate::harness::run(&asked);
    assert_eq!(report.stdout.head, "inside ['runtime']\n", "as root: {root}: {report:#?}");
}

#[test]
fn a_writable_tree_below_tmp_is_written_and_the_rest_is_temporary() {
    let dir = tempfile::tempdir_in("/tmp").unwrap();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(dir.path(), open).unwrap();
    let code = format!(
        "import posix\nfor path in ({:?} + '/kept', '/tmp/gone', '/dev/shm/gone'):\n\
         \x20posix.write(posix.open(path, posix.O_CREAT | posix.O_WRONLY), b'x')\nprint('done')",
        dir.path().to_str().unwrap()
    );
    let mut asked = spec(&code);
    asked.limits.file_size = 4096;
    asked.mounts.push(vosim_sandbox_spec::Mount { path: dir.path().into(), writable: true });
    assert_eq!(crate::harness::run(&asked).stdout.head, "done\n");
    assert!(dir.path().join("kept").exists() && !Path::new("/tmp/gone").exists());
}

/// A Python's own folder with a package beside the library.
fn library(dir: &Path) -> std::path::PathBuf {
    let library = dir.join("lib/python3.99");
    for name in ["site-packages", "dist-packages", "json"] {
        std::fs::create_dir_all(library.join(name)).unwrap();
        std::fs::write(library.join(name).join("held.py"), name).unwrap();
    }
    std::fs::write(library.join("os.py"), "").unwrap();
    for place in [dir, &dir.join("lib"), &library] {
        std::fs::set_permissions(place, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
    }
    library
}

#[test]
fn a_library_is_shown_without_the_packages_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    let library = library(dir.path());
    let code = format!(
        "for name in ('json', 'site-packages', 'dist-packages'):\n\
         \x20try: print(open({:?} + '/' + name + '/held.py').read())\n\
         \x20except OSError as error: print(error.strerror)",
        library.to_str().unwrap()
    );
    let mut asked = spec(&code);
    asked.mounts.push(vosim_sandbox_spec::Mount { path: library, writable: false });
    let report = crate::harness::run(&asked);
    let gone = "json\nNo such file or directory\nNo such file or directory\n";
    assert_eq!(report.stdout.head, gone, "{report:#?}");
    let mut helper = crate::harness::level_c_helper();
    helper.ask(&asked);
    let report = helper.report();
    let closed = "json\nPermission denied\nPermission denied\n";
    assert_eq!(report.stdout.head, closed, "{report:#?}");
}

#[test]
fn no_caller_has_a_home_or_our_own_folders_shown() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().canonicalize().unwrap().join("ada");
    for folder in [".local/share/vosim/blobs", ".ssh", "work"] {
        std::fs::create_dir_all(home.join(folder)).unwrap();
    }
    std::os::unix::fs::symlink(&home, dir.path().join("link")).unwrap();
    let shown = |path: &Path| {
        let mut command = std::process::Command::new(crate::harness::HELPER);
        let mut helper = crate::harness::Helper::start_by(command.env_clear().env("HOME", &home));
        let mut asked = spec("print('shown')");
        asked.mounts.push(vosim_sandbox_spec::Mount { path: path.to_owned(), writable: false });
        helper.ask(&asked);
        let report = helper.report();
        report.error.map_or(report.stdout.head, |error| error.replace(path.to_str().unwrap(), ""))
    };
    let refused = " is not shown to a program: ";
    let [above, own, data] =
        [dir.path().canonicalize().unwrap(), home.clone(), home.join(".local")];
    for path in [&above, &own, &dir.path().join("link"), &data, &home.join(".ssh")] {
        assert!(shown(path).starts_with(refused), "{}: {}", path.display(), shown(path));
    }
    assert!(shown(&home.join(".local/share/vosim/blobs")).ends_with("is a folder of vosim"));
    assert!(shown(Path::new("/home")).starts_with(refused) || !Path::new("/home").exists());
    assert!(shown(Path::new("/")).ends_with("it is the whole machine"));
}
