//! What a run must not see or reach. Each denial has a control outside: the same thing works here.

use std::net::TcpListener;
use std::path::Path;

use crate::harness::{printed, spec};

#[test]
fn the_account_file_is_a_made_up_one() {
    assert!(std::fs::read_to_string("/etc/passwd").unwrap().contains("root:"));
    let shown = printed("print(open('/etc/passwd').read())");
    assert_eq!(shown, "vosim:x:1000:1000:vosim:/work:/usr/sbin/nologin");
}

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
fn the_runtime_cannot_be_changed() {
    let code = "import posix\nfor path in ('/usr/lib/x', '/x', '/work/x'):\n\
                \x20try: posix.mkdir(path)\n except OSError as error: print(error.errno)";
    assert_eq!(printed(code), "30\n30\n30");
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
fn no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = format!(
        "import _socket as s\nc = s.socket(s.AF_INET, s.SOCK_STREAM)\nc.connect(('127.0.0.1', {port}))"
    );
    let outside = std::process::Command::new(crate::harness::python())
        .args(["-I", "-S", "-c", &connect])
        .status()
        .unwrap();
    assert!(outside.success(), "the control outside must connect");

    let attempts = "import _socket as s\nfor family in (s.AF_INET, s.AF_INET6, s.AF_UNIX, \
                    s.AF_NETLINK, s.AF_VSOCK):\n for kind in (s.SOCK_STREAM, s.SOCK_DGRAM):\n\
                    \x20 try: s.socket(family, kind); print('made', family, kind)\n\
                    \x20 except PermissionError: pass\nprint('end')";
    assert_eq!(printed(attempts), "end");
}

#[test]
fn event_loops_still_wake_themselves() {
    let code = "import _socket as s\na, b = s.socketpair()\na.send(b'x'); print(b.recv(1))";
    assert_eq!(printed(code), "b'x'");
}

#[test]
fn no_namespace_or_foreign_process_can_be_had() {
    let code = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n\
                def errno(*call):\n ctypes.set_errno(0); libc.syscall(*call); return ctypes.get_errno()\n\
                # unshare, ptrace, keyctl, bpf, userfaultfd, io_uring_setup, mount\n\
                print([errno(n, 0x10000000, 0, 0, 0) for n in (272, 101, 250, 321, 323, 425, 165)])";
    let (forbidden, absent) = (nix::libc::EPERM, nix::libc::ENOSYS);
    let expected = [forbidden, forbidden, absent, absent, absent, absent, forbidden];
    if cfg!(target_arch = "x86_64") {
        assert_eq!(printed(code), format!("{expected:?}"));
    }
}

#[test]
fn the_helper_s_own_environment_and_memory_are_out_of_reach() {
    let code = "for path in ('/proc/1/environ', '/proc/1/mem', '/proc/self/environ'):\n\
                \x20try: open(path, 'rb')\n except FileNotFoundError: print('absent')";
    assert_eq!(printed(code), "absent\nabsent\nabsent");
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
