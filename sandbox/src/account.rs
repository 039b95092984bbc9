//! Leaves root before anything of the run is touched. No run is ever made as root, and no two runs
//! that are under way share an account: the kernel counts much for the account that it does not
//! count for the run, and what one run takes of it another would see.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use nix::fcntl::{Flock, FlockArg};
use nix::unistd::{Gid, Uid, getegid, geteuid, setgroups, setresgid, setresuid};

use crate::fault::{At as _, Fault, errno_of};

/// An unprivileged account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// The accounts of which a helper started as root takes one that no other has; one alone is shared.
/// They have one group, to which a delegated control group is handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accounts {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) gid: u32,
}

/// Far above the numbers that people, services and containers get.
const APART: Accounts = Accounts { first: 1_900_000_000, last: 1_900_000_255, gid: 1_900_000_000 };

/// `nobody` on every system we know.
const NOBODY: Accounts = Accounts { first: 65_534, last: 65_534, gid: 65_534 };

/// Where root notes which account is taken: a file for each, which is locked as long as its run.
const TAKEN: &str = "/run/vosim-sandbox";

/// What becoming another account takes: the kernel's numbers and names.
const SETGID: (u32, &str) = (6, "CAP_SETGID");
const SETUID: (u32, &str) = (7, "CAP_SETUID");

impl Accounts {
    /// Returns those that are taken where none are named: `nobody` in a container that does not
    /// have the others.
    pub(crate) fn usual() -> Self {
        let has = |map: &str| {
            let text = about_us(map);
            holds(&text, APART.first) && holds(&text, APART.last)
        };
        let there = has("/proc/self/uid_map") && has("/proc/self/gid_map");
        if there { APART } else { NOBODY }
    }

    /// Takes one for as long as the returned lock is held, by this process and its children.
    fn take(self, taken: &Path) -> Result<(u32, Option<Flock<File>>), Fault> {
        if self.first == self.last {
            return Ok((self.first, None));
        }
        let failed = |error: io::Error| Fault::Refused {
            step: "noting the account of the run",
            errno: errno_of(&error),
        };
        // Where nothing can be noted they share the first, as one that is named alone.
        let Ok(()) = private_folder(taken) else { return Ok((self.first, None)) };
        for uid in self.first..=self.last {
            let mut options = File::options();
            let path = taken.join(format!("account-{uid}"));
            let file = options.write(true).create(true).truncate(false).mode(0o600).open(path);
            if let Ok(held) = Flock::lock(file.map_err(failed)?, FlockArg::LockExclusiveNonblock) {
                return Ok((uid, Some(held)));
            }
        }
        let Self { first, last, .. } = self;
        Err(Fault::Request(format!("each of the accounts {first} to {last} has a run under way")))
    }
}

/// Whether a user namespace has this number: lines of a first number inside, one outside, a count.
fn holds(map: &str, id: u32) -> bool {
    map.lines().any(|line| {
        let mut numbers = line.split_ascii_whitespace().map(str::parse::<u64>);
        let (first, count) = (numbers.next(), numbers.nth(1));
        let (Some(Ok(first)), Some(Ok(count))) = (first, count) else { return false };
        (first..first + count).contains(&u64::from(id))
    })
}

fn private_folder(dir: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let about = fs::symlink_metadata(dir)?;
    let ours = about.is_dir() && about.uid() == geteuid().as_raw() && about.mode() & 0o022 == 0;
    if ours { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

/// Changes the account of this process for good if it is root; the account is this run's alone as
/// long as the lock is held, here and in pid 1.
pub(crate) fn leave_root(accounts: Accounts) -> Result<Option<Flock<File>>, Fault> {
    if !geteuid().is_root() {
        return Ok(None);
    }
    check_mapped(&about_us("/proc/self/uid_map"), accounts)?;
    let status = about_us("/proc/self/status");
    [SETGID, SETUID].into_iter().try_for_each(|capability| check_capable(&status, capability))?;
    let (uid, held) = accounts.take(Path::new(TAKEN))?;
    let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(accounts.gid));
    setgroups(&[]).at("leaving root's groups")?;
    setresgid(gid, gid, gid).at("leaving root's group")?;
    setresuid(uid, uid, uid).at("leaving root")?;
    // The change has closed /proc/self to us, where the id map must be written.
    nix::sys::prctl::set_dumpable(true).at("reopening /proc/self")?;
    Ok(held)
}

/// Gives this process, in a new user namespace, the number `inside` for the account that it has
/// outside.
pub(crate) fn map(outside: Account, inside: u32) -> Result<(), Fault> {
    fs::write("/proc/self/setgroups", "deny").at("closing setgroups")?;
    let map = |id| format!("{inside} {id} 1");
    fs::write("/proc/self/uid_map", map(outside.uid)).at("mapping the user")?;
    fs::write("/proc/self/gid_map", map(outside.gid)).at("mapping the group")
}

fn about_us(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Returns an error where this user namespace has none of the accounts, as below `unshare --map-root-user`:
/// the call that would be refused names only itself. Without `/proc` that call decides.
fn check_mapped(map: &str, accounts: Accounts) -> Result<(), Fault> {
    if map.is_empty() || holds(map, accounts.first) {
        return Ok(());
    }
    Err(Fault::Request(format!(
        "this is root of a user namespace that has no account {}, and no run is made as root; start \
         vosim outside of it, as yourself, or give it more accounts (unshare --map-auto, newuidmap)",
        accounts.first
    )))
}

/// Returns an error where root has lost what it takes to become another account, as in a container or a
/// unit that gives it little: the call that would be refused names only itself. Without `/proc` that call
/// decides.
fn check_capable(status: &str, (number, name): (u32, &str)) -> Result<(), Fault> {
    let held = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let held = held.and_then(|held| u64::from_str_radix(held.trim(), 16).ok());
    if held.is_none_or(|held| (held >> number) & 1 == 1) {
        return Ok(());
    }
    Err(Fault::Request(format!(
        "this is root without {name}, which cannot become another account, and no run is made as root; \
         start vosim as an ordinary user, or allow {name} (--cap-add of the container, \
         CapabilityBoundingSet of the unit)"
    )))
}

/// Returns the account of this process.
pub(crate) fn current() -> Account {
    Account { uid: geteuid().as_raw(), gid: getegid().as_raw() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_taken_once_and_free_again_afterwards() {
        let dir = tempfile::tempdir().unwrap();
        let taken = dir.path().join("taken");
        let accounts = Accounts { first: 70_001, last: 70_002, gid: 70_001 };
        let first = accounts.take(&taken).unwrap();
        let second = accounts.take(&taken).unwrap();
        assert_eq!((first.0, second.0), (70_001, 70_002));
        let why = accounts.take(&taken).unwrap_err().to_string();
        assert_eq!(why, "each of the accounts 70001 to 70002 has a run under way");
        drop(first);
        assert_eq!(accounts.take(&taken).unwrap().0, 70_001);
        let alone = Accounts { last: 70_001, ..accounts };
        assert_eq!(alone.take(&taken).unwrap().0, 70_001);
    }

    #[test]
    fn root_of_a_namespace_without_other_accounts_is_told_so() {
        let why = check_mapped("         0       1000          1\n", NOBODY).unwrap_err();
        assert!(why.to_string().contains("has no account 65534"), "{why}");
        check_mapped("0 1000 1\n1 100000 65536\n", NOBODY).unwrap();
        check_mapped("", APART).unwrap();
    }

    #[test]
    fn root_that_cannot_become_another_account_is_told_what_it_lacks() {
        let without_setgid = "CapPrm:\t00000000000000ff\nCapEff:\t00000000000000bf\n";
        let why = check_capable(without_setgid, SETGID).unwrap_err().to_string();
        assert!(why.contains("root without CAP_SETGID"), "{why}");
        check_capable(without_setgid, SETUID).unwrap();
        check_capable("", SETGID).unwrap();
    }

    #[test]
    fn a_namespace_has_the_numbers_that_its_map_names() {
        let whole = "         0          0 4294967295\n";
        assert!(holds(whole, APART.last) && holds(whole, 0));
        assert!(!holds("0 1000 1\n1 100000 65536\n", APART.first));
        assert!(holds("0 1000 1\n1 100000 65536\n", 65_534) && !holds("", 0));
    }
}
