//! A real `systemd --user` of a test's own, on a machine that need not run systemd.
//!
//! The manager stands in a control group made for it, with namespaces of its own for control
//! groups, processes and mounts. The first is not a nicety: a manager moves whoever stands in the
//! group in which it begins, and in the root of the tree that would be the whole machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use vosim_needs::{Need, has_root, needs};
use vosim_tests::{Ctl, Home, PATIENCE, Ran, program};

/// Where cgroup v2 is mounted: alone, or beside the older version.
const MOUNTS: [&str; 2] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];

const SYSTEMD: [&str; 2] = ["/lib/systemd/systemd", "/usr/lib/systemd/systemd"];

/// Enters the group in $1 alone, then the namespaces, where $2 goes on with $3.
const ENTER: &str = r#"
echo $$ > "$1/cgroup.procs"
exec unshare --mount --cgroup --pid --fork --kill-child --mount-proc --propagation private \
    sh -ec "$2" manager "$3"
"#;

/// The first process of the namespaces. Nothing is mounted unless the group is the root it sees.
const MANAGE: &str = r#"
grep -qx 0::/ /proc/self/cgroup
mount -t tmpfs -o mode=755 tmpfs /run
mount -t cgroup2 none /sys/fs/cgroup
mkdir -p /run/systemd/system
"$1" --user &
wait $!
"#;

/// The units.
pub(super) const SERVICE: &str = "vosimd.service";
pub(super) const SOCKET: &str = "vosimd.socket";

/// A manager that runs, with vosim installed for it.
#[derive(Debug)]
pub(super) struct Manager {
    home: Home,
    group: PathBuf,
    running: Option<Child>,
    mounts_before: Vec<String>,
}

/// Waits until something is so.
#[track_caller]
pub(super) fn wait_until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "not within {PATIENCE:?}: {what}");
        std::thread::yield_now();
    }
}

/// A home with the programs and the units where `make install` puts them.
pub(super) fn installed() -> Home {
    let mut home = Home::new();
    // So that ~/.local is what it is for everybody.
    home.unset("XDG_DATA_HOME");
    let bin = home.path().join(".local/bin");
    fs::create_dir_all(&bin).unwrap();
    // A file that this process had open for writing could not be executed while another thread
    // forks, so another process writes it.
    let programs = ["vosimd", "vosimctl", "vosim-sandbox"].map(program);
    let ran = home.system("install").args(["-m", "755"]).args(programs).arg(&bin).output();
    assert!(ran.unwrap().status.success());
    make(&home, "install-units", &[]);
    home
}

/// Runs a target of the Makefile for `~/.local`; the status is the caller's matter where it fails.
pub(super) fn make(home: &Home, target: &str, more: &[String]) -> Output {
    make_by(home.system("make"), home, target).args(more).output().unwrap()
}

fn make_by(mut make: Command, home: &Home, target: &str) -> Command {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let prefix = format!("PREFIX={}", home.path().join(".local").display());
    make.arg("-C").arg(project).args(["--silent", target, &prefix]);
    make
}

/// Whether there is a systemd to test with.
#[track_caller]
pub(super) fn has_systemd() -> bool {
    let found = SYSTEMD.iter().find(|path| Path::new(path).exists());
    needs(Need::Systemd, found.ok_or("the package systemd is not installed")).is_some()
}

/// The top of the tree of control groups, where that is of version 2.
#[track_caller]
fn control_groups() -> Option<&'static Path> {
    // The top of a tree of the older version has the first of these files as well.
    let files = ["cgroup.procs", "cgroup.controllers"];
    let is_top = |top: &Path| files.iter().all(|file| top.join(file).exists());
    let found = MOUNTS.map(Path::new).into_iter().find(|top| is_top(top));
    needs(Need::Systemd, found.ok_or("no control groups of version 2 are mounted"))
}

impl Manager {
    /// One in a home of its own; none where that cannot be arranged.
    pub(super) fn start() -> Option<Self> {
        if !has_root() || !has_systemd() {
            return None;
        }
        let top = control_groups()?;
        let home = installed();
        let name = home.path().file_name().unwrap().to_str().unwrap();
        let group = top.join(name);
        fs::create_dir(&group).unwrap();
        let mut manager = Self { home, group, running: None, mounts_before: mounts() };
        manager.run();
        Some(manager)
    }

    fn run(&mut self) {
        let systemd = SYSTEMD.iter().find(|path| Path::new(path).exists()).unwrap();
        let log = fs::File::create(self.log()).unwrap();
        let child = self
            .home
            .system("setpriv")
            // It ends with the test, whatever ends the test.
            .args(["--pdeathsig", "KILL", "sh", "-ec", ENTER, "enter"])
            .arg(&self.group)
            .args([MANAGE, systemd])
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        self.running = Some(child);
        wait_until("the manager answers", || {
            let asked = self.systemctl(&["show", "-P", "Version"]);
            asked.status.success().then_some(())
        });
    }

    pub(super) fn home(&self) -> &Home {
        &self.home
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("systemd.log")
    }

    /// What a command begins with that is to run beside the manager: neither it nor the daemon
    /// speaks to a process that it cannot see.
    pub(super) fn beside(&self) -> Vec<String> {
        let first = self.seen_from_here("1").unwrap_or_default();
        let work = self.home.work();
        ["nsenter".into(), format!("--target={first}"), "--mount".into(), "--pid".into()]
            .into_iter()
            .chain([format!("--wd={}", work.display()), "--".into()])
            .collect()
    }

    /// `systemctl --user` with these words.
    pub(super) fn systemctl(&self, words: &[&str]) -> Output {
        let beside = self.beside();
        let mut command = self.home.system(&beside[0]);
        command.args(&beside[1..]).args(["systemctl", "--user"]).args(words).output().unwrap()
    }

    /// Runs a target of the Makefile beside the manager.
    pub(super) fn make(&self, target: &str) -> Output {
        let beside = self.beside();
        let mut command = self.home.system(&beside[0]);
        command.args(&beside[1..]).arg("make");
        make_by(command, &self.home, target).output().unwrap()
    }

    /// A program of vosim beside the manager.
    pub(super) fn program(&self, name: &str, words: &[&str]) -> Ctl {
        let beside = self.beside();
        let beside: Vec<&str> = beside.iter().map(String::as_str).collect();
        Ctl::program_by(&self.home, &beside, name, words)
    }

    /// A process that the manager's namespace knows by this number.
    fn seen_from_here(&self, pid: &str) -> Option<i32> {
        members(&self.group).into_iter().find(|member| {
            let status = fs::read_to_string(format!("/proc/{member}/status")).unwrap_or_default();
            let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
            let numbers: Vec<&str> = numbers.unwrap_or_default().split_whitespace().collect();
            // What stands deeper is in a sandbox, with numbers of its own.
            matches!(numbers[..], [_, seen] if seen == pid)
        })
    }

    /// The same, and it goes well.
    #[track_caller]
    pub(super) fn told(&self, words: &[&str]) {
        let ran = self.systemctl(words);
        assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
    }

    /// A property of a unit.
    pub(super) fn property(&self, unit: &str, name: &str) -> String {
        let ran = self.systemctl(&["show", "-P", name, unit]);
        String::from_utf8(ran.stdout).unwrap().trim().to_owned()
    }

    /// Waits until a property of a unit has this value.
    #[track_caller]
    pub(super) fn wait_for(&self, unit: &str, name: &str, value: &str) {
        wait_until(&format!("{name} of {unit} is {value}"), || {
            (self.property(unit, name) == value).then_some(())
        });
    }

    /// Adds lines to the service, as `systemctl --user edit` does.
    pub(super) fn edit(&self, lines: &str) {
        let dir = self.home.path().join("config/systemd/user/vosimd.service.d");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("test.conf"), format!("[Service]\n{lines}\n")).unwrap();
        self.told(&["daemon-reload"]);
    }

    /// What `make install` advises.
    #[track_caller]
    pub(super) fn enable(&self) {
        self.told(&["daemon-reload"]);
        self.told(&["enable", "--now", SOCKET]);
        self.wait_for(SOCKET, "SubState", "listening");
    }

    /// vosimctl, which starts no daemon by itself.
    pub(super) fn ctl(&self, words: &str) -> Ran {
        let words: Vec<&str> = ["--no-start"].into_iter().chain(words.split_whitespace()).collect();
        self.program("vosimctl", &words).run()
    }

    /// The daemon's process as the daemon itself tells it.
    #[track_caller]
    pub(super) fn daemon(&self) -> String {
        self.ctl("daemon status --json").json()[0]["pid"].to_string()
    }

    /// The group of the service.
    pub(super) fn service_group(&self) -> PathBuf {
        self.group.join("app.slice").join(SERVICE)
    }

    /// Sends a signal to a process that the manager's namespace knows by this number.
    #[track_caller]
    pub(super) fn signal(&self, pid: &str, signal: Signal) {
        let found = self.seen_from_here(pid).expect("it is one of ours");
        kill(Pid::from_raw(found), signal).unwrap();
    }

    /// Ends the manager as a logout does; nothing may be left of it.
    pub(super) fn end(mut self) {
        // It may hang up before it answers.
        self.systemctl(&["exit"]);
        let mut child = self.running.take().unwrap();
        wait_until("the manager ends", || child.try_wait().unwrap());
        assert!(members(&self.group).is_empty(), "no process is left");
        assert!(!self.home.paths().socket.exists(), "no socket is left");
        self.remove_group();
        assert!(!self.group.exists(), "no control group is left");
        assert_eq!(mounts(), self.mounts_before, "no mount is left");
    }

    /// Empty groups are removed from the deepest on; the kernel may still be busy with their last
    /// processes.
    fn remove_group(&self) {
        let until = Instant::now() + PATIENCE;
        while self.group.exists() && Instant::now() < until {
            for group in groups_below(&self.group) {
                fs::remove_dir(group).ok();
            }
            std::thread::yield_now();
        }
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}", fs::read_to_string(self.log()).unwrap_or_default());
            println!("{}", self.home.logs());
        }
        if let Some(mut child) = self.running.take() {
            // The first process of the namespaces goes with it, and all others with that one.
            child.kill().ok();
            child.wait().ok();
        }
        self.remove_group();
    }
}

/// The mounts that a manager would disturb.
fn mounts() -> Vec<String> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    let ours = |line: &&str| {
        let place = line.split(' ').nth(1).unwrap_or_default();
        ["/run", "/proc", "/sys/fs/cgroup"].iter().any(|known| place.starts_with(known))
    };
    mounts.lines().filter(ours).map(str::to_owned).collect()
}

/// A group and those below it, the deepest first.
fn groups_below(group: &Path) -> Vec<PathBuf> {
    let mut groups = Vec::new();
    for entry in fs::read_dir(group).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            groups.extend(groups_below(&entry.path()));
        }
    }
    groups.push(group.to_owned());
    groups
}

/// The processes in a group and those below it.
fn members(group: &Path) -> Vec<i32> {
    let read = |group: PathBuf| fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    let texts: Vec<String> = groups_below(group).into_iter().map(read).collect();
    texts.iter().flat_map(|text| text.lines()).map(|pid| pid.parse().unwrap()).collect()
}

/// `systemd-analyze` on the installed units.
pub(super) fn analyze(home: &Home, words: &[&str]) -> Command {
    let units = home.path().join(".local/share/systemd/user");
    let mut command = home.system("systemd-analyze");
    command.arg("--user").args(words).arg(units.join(SERVICE)).arg(units.join(SOCKET));
    command
}
