//! The chain: every mechanism tried in the order in which a run needs it, and what is said of it.
//! What cannot be tried because something before it is missing says so and has no mend of its own.

use std::fmt::Display;
use std::path::Path;

use nix::libc::{
    CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWUTS,
};
use vosim_sandbox_spec::{Layer, Limits, Mechanism, Probed};

use super::apart::{Apart, Trouble};
use super::cgroup;
use super::effects::{self, Grouped, Standing};
use super::machine::Machine;
use super::mends::{self, Reason};
use super::whole;
use crate::account::Account;
use crate::guard;
use crate::init::INSIDE;
use crate::root;
use crate::terms::Terms;

/// A step of a chain.
type Trial<C> = fn(&C) -> Result<(), Trouble>;

/// Who and what is probed.
#[derive(Debug)]
pub(super) struct Chain<'a> {
    pub(super) machine: &'a Machine,
    pub(super) helper: &'a Path,
    /// On which terms runs are made here.
    pub(super) terms: &'a Terms,
    /// The account of runs, seen from outside.
    pub(super) outside: Account,
    /// Why a run by hand cannot step aside in its control group.
    pub(super) not_aside: Option<&'a String>,
}

impl Chain<'_> {
    /// Every mechanism, in order.
    pub(super) fn probe(&self) -> Vec<Probed> {
        let mut probed = self.namespaces();
        probed.extend([self.landlock(), self.call_filter(), self.limits()]);
        probed.push(self.process_count(&probed));
        probed.push(self.cgroup());
        probed
    }

    fn apart(&self, namespaces: i32) -> Apart {
        Apart { account: self.terms.account, namespaces }
    }

    fn in_user_namespace(&self, namespaces: i32) -> Apart {
        self.apart(CLONE_NEWUSER | namespaces)
    }

    fn namespaces(&self) -> Vec<Probed> {
        use Mechanism::{
            AccountMap, Binds, IpcNamespace, NetNamespace, PidNamespace, PrivateRoot,
            UserNamespace, UtsNamespace,
        };
        let made = self.in_user_namespace(0).run(|| Ok(()));
        let mut probed = vec![self.judge(UserNamespace, "a new one is made", made)];
        let mapped = format!("uid {} outside is {INSIDE} inside", self.outside.uid);
        let trials: [(Mechanism, &str, Trial<Self>); 7] = [
            (AccountMap, &mapped, Self::map),
            (PrivateRoot, "a tmpfs becomes the root, the host's is gone", Self::private_root),
            (Binds, "what a run is shown is there and cannot be changed", Self::binds),
            (PidNamespace, "its first process is number 1", Self::pid),
            (NetNamespace, "no interface is up", Self::net),
            (IpcNamespace, "no queue or memory of the host", Self::ipc),
            (UtsNamespace, "its own host name", Self::uts),
        ];
        for (mechanism, holds, trial) in trials {
            let before: &[_] = match mechanism {
                Binds => &[UserNamespace, AccountMap, PrivateRoot],
                _ => &[UserNamespace, AccountMap],
            };
            let missing = before.iter().copied().find(|needed| lacks(&probed, *needed));
            probed.push(match missing {
                Some(needed) => untried(mechanism, needed),
                None => self.judge(mechanism, holds, trial(self)),
            });
        }
        probed
    }

    fn judge(&self, mechanism: Mechanism, holds: &str, tried: Result<(), Trouble>) -> Probed {
        match tried {
            Ok(()) => held(mechanism, holds),
            Err(trouble) => {
                absent(mechanism, mends::namespaces(&trouble, self.machine, self.helper))
            }
        }
    }

    fn map(&self) -> Result<(), Trouble> {
        self.in_user_namespace(0).run(|| effects::map(self.outside))
    }

    fn private_root(&self) -> Result<(), Trouble> {
        let spec = whole::request(self.helper);
        self.in_user_namespace(CLONE_NEWNS).run(|| effects::private_root(self.outside, &spec))
    }

    /// As root the trees are opened before root is left (DECISIONS 24).
    fn binds(&self) -> Result<(), Trouble> {
        let spec = whole::request(self.helper);
        let root = nix::unistd::geteuid().is_root();
        let open = || root.then(|| root::open_trees(&spec)).transpose();
        self.in_user_namespace(CLONE_NEWNS)
            .run_prepared(open, |trees| effects::binds(self.outside, &spec, trees))
    }

    fn pid(&self) -> Result<(), Trouble> {
        self.in_user_namespace(CLONE_NEWPID).run(effects::first_process)
    }

    fn net(&self) -> Result<(), Trouble> {
        let before = || effects::namespace("net");
        let apart = self.in_user_namespace(CLONE_NEWNET);
        apart.run_prepared(before, |before| effects::no_network(&before))
    }

    fn ipc(&self) -> Result<(), Trouble> {
        let before = || effects::namespace("ipc");
        let apart = self.in_user_namespace(CLONE_NEWIPC);
        apart.run_prepared(before, |before| effects::own_ipc(&before))
    }

    fn uts(&self) -> Result<(), Trouble> {
        self.in_user_namespace(CLONE_NEWUTS).run(effects::own_name)
    }

    fn landlock(&self) -> Probed {
        const IT: Mechanism = Mechanism::Landlock;
        match self.apart(0).run(effects::landlock) {
            Ok(Standing::Closed { abi, whole: true }) => {
                held(IT, format!("ABI {abi}: a closed file cannot be read"))
            }
            Ok(Standing::Closed { abi, whole: false }) => {
                let found = format!("ABI {abi}: a closed file cannot be read; {}", lacking(abi));
                Probed { held: Layer::Degraded, ..held(IT, found) }
            }
            Ok(Standing::Disabled) => absent(IT, mends::no_landlock(true, self.machine)),
            Ok(Standing::Unknown) => absent(IT, mends::no_landlock(false, self.machine)),
            Err(trouble) => absent(IT, unexplained(trouble.said)),
        }
    }

    fn call_filter(&self) -> Probed {
        const IT: Mechanism = Mechanism::Seccomp;
        match self.apart(0).run(effects::call_filter) {
            Ok(true) => held(IT, "a socket is refused"),
            Ok(false) => {
                absent(IT, unexplained("the call numbers of this architecture are not known"))
            }
            Err(trouble) => absent(IT, mends::no_filter(&trouble)),
        }
    }

    fn limits(&self) -> Probed {
        const IT: Mechanism = Mechanism::ResourceLimits;
        match self.apart(0).run(|| effects::limits(&Limits::submission())) {
            Ok(()) => held(IT, "memory and files beyond the limit are refused"),
            Err(trouble) => absent(IT, unexplained(trouble.said)),
        }
    }

    fn process_count(&self, before: &[Probed]) -> Probed {
        const IT: Mechanism = Mechanism::ProcessCount;
        let needed = [Mechanism::UserNamespace, Mechanism::AccountMap, Mechanism::PidNamespace];
        if let Some(needed) = needed.into_iter().find(|needed| lacks(before, *needed)) {
            return untried(IT, needed);
        }
        let apart = self.in_user_namespace(CLONE_NEWPID);
        match apart.run(|| effects::processes(self.outside)) {
            Ok(0) => {
                let found = "RLIMIT_NPROC counts whatever the account runs elsewhere: Linux 5.14 \
                             counts each run by itself";
                Probed { held: Layer::Degraded, ..held(IT, found) }
            }
            Ok(started) if started < effects::COUNTED => {
                held(IT, "RLIMIT_NPROC counts the run by itself")
            }
            Ok(_) => absent(IT, unexplained("RLIMIT_NPROC has no effect")),
            Err(trouble) => absent(IT, mends::namespaces(&trouble, self.machine, self.helper)),
        }
    }

    /// A group is really made and bounded, where root has handed its place over as for a run.
    fn cgroup(&self) -> Probed {
        const IT: Mechanism = Mechanism::Cgroup;
        let root = nix::unistd::geteuid().is_root();
        let why_not = |why| self.not_aside.cloned().unwrap_or(why);
        let find = || Ok(guard::place(self.terms, root).map_err(why_not));
        let tried = self.apart(0).run_prepared(find, |place| Ok(effects::group(place)));
        let (layer, why) = match tried {
            Ok(Grouped::Bounded) => {
                return held(IT, "memory and processes are bounded in a group of its own");
            }
            Ok(Grouped::InPart(lacking)) => (Layer::Degraded, lacking),
            Ok(Grouped::Not(why)) => (Layer::Absent, why),
            Err(trouble) => (Layer::Absent, trouble.said),
        };
        let reason = mends::no_cgroup(why, &cgroup::obstacle(self.machine.root()), self.machine);
        Probed { held: layer, ..absent(IT, reason) }
    }
}

/// What an older Landlock does not know, by the kernel that brought it.
fn lacking(abi: u8) -> String {
    let versions = [
        (2, "moving between folders", "5.19"),
        (3, "truncation", "6.2"),
        (4, "TCP", "6.7"),
        (5, "devices", "6.10"),
        (6, "signals and abstract sockets", "6.12"),
    ];
    let missing = versions.iter().filter(|(brought, ..)| abi < *brought);
    let missing: Vec<_> =
        missing.map(|(_, what, kernel)| format!("{what} (Linux {kernel})")).collect();
    if missing.is_empty() {
        return "not in full".to_owned();
    }
    format!("not {}", missing.join(", "))
}

fn lacks(probed: &[Probed], mechanism: Mechanism) -> bool {
    probed.iter().any(|it| it.mechanism == mechanism && it.held == Layer::Absent)
}

fn held(mechanism: Mechanism, found: impl Display) -> Probed {
    let found = found.to_string();
    Probed { mechanism, held: Layer::Enforced, found, needs: None, mend: None }
}

fn absent(mechanism: Mechanism, reason: Reason) -> Probed {
    let Reason { found, mend } = reason;
    Probed { mechanism, held: Layer::Absent, found, needs: None, mend }
}

fn untried(mechanism: Mechanism, needed: Mechanism) -> Probed {
    let found = format!("not tried: it needs the {}", needed.name());
    Probed { needs: Some(needed), ..absent(mechanism, unexplained(found)) }
}

fn unexplained(found: impl Display) -> Reason {
    Reason { found: found.to_string(), mend: None }
}
