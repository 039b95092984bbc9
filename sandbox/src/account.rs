//! Leaves root before anything of the run is touched. No run is ever made as root.

use nix::unistd::{Gid, Uid, getegid, geteuid, setgroups, setresgid, setresuid};

use crate::fault::{At as _, Fault};

/// The unprivileged account that a helper started as root changes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// `nobody` on every system we know.
pub(crate) const NOBODY: Account = Account { uid: 65_534, gid: 65_534 };

/// Changes the account of this process for good if it is root.
pub(crate) fn leave_root(account: Account) -> Result<(), Fault> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let (uid, gid) = (Uid::from_raw(account.uid), Gid::from_raw(account.gid));
    setgroups(&[]).at("leaving root's groups")?;
    setresgid(gid, gid, gid).at("leaving root's group")?;
    setresuid(uid, uid, uid).at("leaving root")?;
    // The change has closed /proc/self to us, where the id map must be written.
    nix::sys::prctl::set_dumpable(true).at("reopening /proc/self")
}

/// Returns the account of this process.
pub(crate) fn current() -> Account {
    Account { uid: geteuid().as_raw(), gid: getegid().as_raw() }
}
