//! Why a mechanism is missing and the one step that gives it, from what was really seen: the step
//! that failed, the kernel's answer, and the settings that explain it. Where nothing explains it
//! there is no mend: a wrong command is worse than none.

use std::path::Path;

use nix::errno::Errno;
use vosim_sandbox_spec::Mend;

use super::apart::Trouble;
use super::apparmor;
use super::cgroup::Obstacle;
use super::machine::Machine;

/// Settings that refuse namespaces to accounts without rights: name, refusing value, allowing one.
const CLONE: (&str, &str, &str) = ("kernel.unprivileged_userns_clone", "0", "1");
const COUNT: (&str, &str, &str) = ("user.max_user_namespaces", "0", "15000");
const APPARMOR: (&str, &str) = ("kernel.apparmor_restrict_unprivileged_userns", "1");

/// Where a setting is written so that it outlasts the boot.
const SETTINGS_FILE: &str = "/etc/sysctl.d/60-vosim.conf";

/// Gives a program by hand, or a daemon that no unit starts, a cgroup of its own.
const IN_A_SCOPE: &str =
    "begin the command that starts it with: systemd-run --user --scope -p Delegate=yes";

/// A finding in words, and what would mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) found: String,
    pub(super) mend: Option<Mend>,
}

fn reason(found: String, step: impl Into<Option<String>>) -> Reason {
    Reason { found, mend: step.into().map(|step| Mend { step, text: None }) }
}

fn edited(found: String, step: String, text: &str) -> Reason {
    Reason { found, mend: Some(Mend { step, text: Some(text.to_owned()) }) }
}

/// Why a namespace, or what is done in it, was refused.
pub(super) fn namespaces(trouble: &Trouble, machine: &Machine, helper: &Path) -> Reason {
    let said = &trouble.said;
    let is = |name: &str, value: &str| machine.setting(name).as_deref() == Some(value);
    match trouble.errno() {
        // The limit of this namespace is 0, or that of one around it, or all are in use.
        Errno::ENOSPC | Errno::EUSERS if trouble.unborn => {
            if is(COUNT.0, COUNT.1) {
                return reason(format!("{said}: {} is 0", COUNT.0), settings(machine));
            }
            let found = format!("{said}: the limit is reached here or outside of this container");
            reason(found, None)
        }
        Errno::EPERM if trouble.unborn && is(CLONE.0, CLONE.1) => {
            reason(format!("{said}: {} is 0", CLONE.0), settings(machine))
        }
        Errno::EPERM | Errno::EACCES if is(APPARMOR.0, APPARMOR.1) => {
            let found = format!("{said}: AppArmor asks for a profile ({} is 1)", APPARMOR.0);
            reason(found, load_profile(helper))
        }
        Errno::EPERM | Errno::EACCES | Errno::ENOSYS if machine.filtered() => {
            refused_by_filter(said, machine)
        }
        Errno::ENOSYS => {
            reason(format!("{said}: the kernel is too old"), "boot Linux 5.12 or newer".to_owned())
        }
        Errno::EINVAL if trouble.unborn => {
            let found = format!("{said}: the kernel was built without these namespaces");
            reason(found, "boot a kernel with CONFIG_NAMESPACES and CONFIG_USER_NS".to_owned())
        }
        _ => reason(said.clone(), None),
    }
}

/// Sets what refuses, now and after the next boot.
fn settings(machine: &Machine) -> String {
    let refusing = [CLONE, COUNT]
        .into_iter()
        .filter(|(name, refusing, _)| machine.setting(name).as_deref() == Some(*refusing));
    let lines: Vec<_> = refusing.map(|(name, _, allowing)| format!("{name}={allowing}")).collect();
    let lines = lines.join(" ");
    format!("printf '%s\\n' {lines} | sudo tee {SETTINGS_FILE} && sudo sysctl -p {SETTINGS_FILE}")
}

fn load_profile(helper: &Path) -> String {
    let (helper, file) = (quoted(helper), apparmor::FILE);
    format!("{helper} probe --apparmor-profile | sudo tee {file} && sudo apparmor_parser -r {file}")
}

/// Container engines and service managers refuse by such a filter.
fn refused_by_filter(said: &str, machine: &Machine) -> Reason {
    if machine.contained() {
        let found = format!("{said}: the container's filter of system calls refuses it");
        let step = "start the container with: --security-opt seccomp=unconfined \
                    --security-opt apparmor=unconfined";
        return reason(found, step.to_owned());
    }
    let found = format!("{said}: a filter of system calls on this process refuses it");
    match unit(&machine.cgroup_path()) {
        Some(unit) => edited(found, edit(&unit), "[Service]\nRestrictNamespaces=no"),
        None => reason(found, None),
    }
}

/// Why there is no Landlock at all.
pub(super) fn no_landlock(disabled: bool, machine: &Machine) -> Reason {
    if disabled {
        let found = "the kernel has it, and was not booted with it".to_owned();
        return reason(found, boot_with_landlock(machine));
    }
    let release = machine.release();
    match machine.version() {
        Some(version) if version < (5, 13) => reason(
            format!("Linux {release} does not know it"),
            "boot Linux 5.13 or newer, better 6.12".to_owned(),
        ),
        _ if machine.filtered() => refused_by_filter("asking for Landlock: ENOSYS", machine),
        Some(_) | None => reason(
            format!("Linux {release} was built without it"),
            "boot a kernel with CONFIG_SECURITY_LANDLOCK".to_owned(),
        ),
    }
}

fn boot_with_landlock(machine: &Machine) -> String {
    let others = machine.security_modules().unwrap_or_default();
    let others: Vec<_> = others
        .split(',')
        // Always there, and not to be named.
        .filter(|name| !name.is_empty() && *name != "capability" && *name != "landlock")
        .collect();
    let word = ["landlock"].into_iter().chain(others).collect::<Vec<_>>().join(",");
    if machine.has_grub_folder() {
        return format!(
            "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX lsm={word}\"' | \
             sudo tee /etc/default/grub.d/vosim.cfg && sudo update-grub && sudo reboot"
        );
    }
    boot_with(&format!("lsm={word}"))
}

/// Why the filter of system calls is not in force.
pub(super) fn no_filter(trouble: &Trouble) -> Reason {
    match trouble.errno() {
        Errno::EINVAL | Errno::ENOSYS => {
            let found = format!("{}: the kernel was built without it", trouble.said);
            reason(found, "boot a kernel with CONFIG_SECCOMP_FILTER".to_owned())
        }
        _ => reason(trouble.said.clone(), None),
    }
}

/// What would give a control group of its own, which there is not because of `why`.
pub(super) fn no_cgroup(why: String, obstacle: &Obstacle, machine: &Machine) -> Reason {
    let systemd = machine.has_systemd();
    match obstacle {
        Obstacle::Nothing => reason("no cgroup of version 2 is mounted".to_owned(), None),
        Obstacle::VersionOne => {
            let found = "memory and processes are counted by cgroups of version 1".to_owned();
            let word = "systemd.unified_cgroup_hierarchy=1";
            reason(found, systemd.then(|| boot_with(word)))
        }
        Obstacle::Unknown { missing } => {
            let found = format!("the kernel gives no controller for {missing}");
            // Some small machines are booted without this one.
            reason(found, (missing == "memory").then(|| boot_with("cgroup_enable=memory")))
        }
        Obstacle::Withheld { .. } | Obstacle::Undelegated { .. } if !systemd => reason(why, None),
        Obstacle::Withheld { missing } => {
            let found = format!("{why}; the user's services are given no {missing}");
            let step = "sudo systemctl edit user@.service && sudo systemctl daemon-reload, then \
                        log out and in again";
            edited(found, step.to_owned(), "[Service]\nDelegate=cpu memory pids")
        }
        Obstacle::Undelegated { path } => match unit(path) {
            Some(unit) => edited(why, edit(&unit), "[Service]\nDelegate=yes"),
            None => reason(why, IN_A_SCOPE.to_owned()),
        },
    }
}

fn boot_with(word: &str) -> String {
    format!("add {word} to the words that the kernel is booted with, and boot")
}

/// A service of ours.
struct Unit {
    name: String,
    /// One of the user's own services.
    own: bool,
}

/// Our service that a cgroup belongs to, whichever leaf of it. None for a login session, a terminal
/// and what is started there: nobody else's service is to be changed for this.
fn unit(path: &str) -> Option<Unit> {
    let ours = |step: &&str| step.starts_with("vosim") && step.ends_with(".service");
    let name = path.rsplit('/').find(ours)?;
    Some(Unit { name: name.to_owned(), own: path.contains("/user@") })
}

fn edit(unit: &Unit) -> String {
    let manager = if unit.own { "systemctl --user" } else { "sudo systemctl" };
    let name = quoted(Path::new(&unit.name));
    format!("{manager} edit {name} && {manager} restart {name}")
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    match text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::machine::fake::machine;

    const HELPER: &str = "/opt/my tools/vosim-sandbox";
    const BOTH: &str = "making namespaces: EPERM: Operation not permitted";

    fn unborn(errno: Errno) -> Trouble {
        Trouble::answered(BOTH, errno, true)
    }

    /// What is said of namespaces on a machine with these files.
    fn told(files: &[(&str, &str)], trouble: &Trouble) -> (String, Option<String>) {
        let (_dir, machine) = machine(files);
        let reason = namespaces(trouble, &machine, Path::new(HELPER));
        (reason.found, reason.mend.map(|mend| mend.step))
    }

    #[test]
    fn ubuntu_is_given_a_profile_whichever_step_it_refuses() {
        let ubuntu = [
            ("proc/sys/kernel/osrelease", "6.8.0-31-generic\n"),
            ("proc/sys/kernel/unprivileged_userns_clone", "1\n"),
            ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n"),
            ("proc/sys/user/max_user_namespaces", "63404\n"),
        ];
        let profile = "'/opt/my tools/vosim-sandbox' probe --apparmor-profile | \
                       sudo tee /etc/apparmor.d/vosim-sandbox && \
                       sudo apparmor_parser -r /etc/apparmor.d/vosim-sandbox";
        // The namespace is made and worth nothing: its map or its mounts are refused.
        for trouble in [
            Trouble::answered("closing setgroups", Errno::EACCES, false),
            Trouble::answered("mapping the user", Errno::EPERM, false),
            Trouble::answered("mounting the private root", Errno::EACCES, false),
            unborn(Errno::EACCES),
        ] {
            let (found, step) = told(&ubuntu, &trouble);
            assert_eq!(step.as_deref(), Some(profile), "{trouble:?}");
            assert!(found.starts_with(&trouble.said) && found.contains("AppArmor"), "{found}");
        }
        assert_eq!(told(&ubuntu, &unborn(Errno::ENOSPC)).1, None, "no profile mends that");
    }

    #[test]
    fn hardened_debian_is_given_the_settings_that_really_refuse() {
        const CLONE: (&str, &str) = ("proc/sys/kernel/unprivileged_userns_clone", "0\n");
        const COUNT: (&str, &str) = ("proc/sys/user/max_user_namespaces", "0\n");
        let set = |lines: &str| {
            let file = "/etc/sysctl.d/60-vosim.conf";
            Some(format!("printf '%s\\n' {lines} | sudo tee {file} && sudo sysctl -p {file}"))
        };
        let (clone, count) =
            ("kernel.unprivileged_userns_clone=1", "user.max_user_namespaces=15000");
        let (found, step) = told(&[CLONE], &unborn(Errno::EPERM));
        assert_eq!(step, set(clone));
        assert_eq!(found, format!("{BOTH}: kernel.unprivileged_userns_clone is 0"));
        assert_eq!(told(&[COUNT], &unborn(Errno::ENOSPC)).1, set(count));
        let all = set(&format!("{clone} {count}"));
        assert_eq!(told(&[CLONE, COUNT], &unborn(Errno::EPERM)).1, all, "both in one file");
        // The setting stands there, but it is not what was met.
        assert_eq!(told(&[COUNT], &unborn(Errno::EPERM)).1, None);
        let mount = Trouble::answered("mounting the private root", Errno::EPERM, false);
        assert_eq!(told(&[CLONE], &mount).1, None);
    }

    #[test]
    fn a_container_without_namespaces_is_started_otherwise() {
        let docker = [
            (".dockerenv", ""),
            ("proc/self/status", "Seccomp:\t2\n"),
            ("proc/sys/user/max_user_namespaces", "63404\n"),
        ];
        for errno in [Errno::EPERM, Errno::ENOSYS] {
            let (found, step) = told(&docker, &unborn(errno));
            assert!(found.ends_with("the container's filter of system calls refuses it"));
            assert!(step.unwrap().contains("--security-opt seccomp=unconfined"));
        }
        let (found, step) = told(&docker, &unborn(Errno::ENOSPC));
        assert!(found.contains("outside of this container"), "{found}");
        assert_eq!(step, None);
    }

    #[test]
    fn a_service_of_ours_that_restricts_namespaces_is_edited_and_nobody_else_s() {
        let refused = |cgroup: &str| {
            let (_dir, machine) =
                machine(&[("proc/self/status", "Seccomp:\t2\n"), ("proc/self/cgroup", cgroup)]);
            namespaces(&unborn(Errno::EPERM), &machine, Path::new(HELPER)).mend
        };
        let ours = "0::/user.slice/user-1.slice/user@1.service/app.slice/vosimd.service\n";
        let mend = refused(ours).unwrap();
        let step =
            "systemctl --user edit vosimd.service && systemctl --user restart vosimd.service";
        assert_eq!(
            (mend.step.as_str(), mend.text.unwrap().as_str()),
            (step, "[Service]\nRestrictNamespaces=no")
        );
        assert_eq!(refused("0::/user.slice/user-1.slice/user@1.service/emacs.service\n"), None);
        assert_eq!(refused("0::/user.slice/user-1.slice/session-3.scope\n"), None);
    }

    #[test]
    fn what_a_kernel_lacks_is_named_by_its_version_or_its_configuration() {
        let step = |errno| told(&[], &unborn(errno)).1.unwrap();
        assert_eq!(step(Errno::ENOSYS), "boot Linux 5.12 or newer");
        assert_eq!(step(Errno::EINVAL), "boot a kernel with CONFIG_NAMESPACES and CONFIG_USER_NS");
        let filter = |errno| no_filter(&Trouble::answered("installing", errno, false)).mend;
        assert_eq!(filter(Errno::EINVAL).unwrap().step, "boot a kernel with CONFIG_SECCOMP_FILTER");
        assert_eq!(filter(Errno::EPERM), None);
    }

    #[test]
    fn a_landlock_that_was_left_out_at_boot_is_told_apart_from_none() {
        let step = |disabled, files: &[(&str, &str)]| {
            let (_dir, machine) = machine(files);
            no_landlock(disabled, &machine).mend.unwrap().step
        };
        let old = [("proc/sys/kernel/osrelease", "5.10.0-28-amd64\n")];
        assert_eq!(step(false, &old), "boot Linux 5.13 or newer, better 6.12");
        let new = [("proc/sys/kernel/osrelease", "6.1.0\n")];
        assert_eq!(step(false, &new), "boot a kernel with CONFIG_SECURITY_LANDLOCK");
        let modules = ("sys/kernel/security/lsm", "capability,lockdown,yama,apparmor\n");
        let word = "lsm=landlock,lockdown,yama,apparmor";
        let grub = step(true, &[modules, ("etc/default/grub.d/kdump.cfg", "")]);
        let line = format!("echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX {word}\"' |");
        assert!(grub.starts_with(&line) && grub.contains("update-grub"), "{grub}");
        assert!(step(true, &[modules]).starts_with(&format!("add {word} to the words")));
    }

    #[test]
    fn a_cgroup_of_one_s_own_comes_from_the_unit_or_a_scope() {
        let reason = |obstacle: &Obstacle, systemd: bool| {
            let here = if systemd { "run/systemd/system/x" } else { "run/x" };
            let (_dir, machine) = machine(&[(here, "")]);
            no_cgroup("others stand in it".to_owned(), obstacle, &machine)
        };
        let undelegated = |path: &str| Obstacle::Undelegated { path: path.to_owned() };
        let unit = "/user.slice/user-1.slice/user@1.service/app.slice/vosimd.service";
        for path in [unit.to_owned(), format!("{unit}/vosimd")] {
            let mend = reason(&undelegated(&path), true).mend.unwrap();
            assert!(mend.step.starts_with("systemctl --user edit vosimd.service"), "{}", mend.step);
            assert_eq!(mend.text.unwrap(), "[Service]\nDelegate=yes");
        }
        let terminal = "/user.slice/user-1.slice/user@1.service/app.slice/vte-7.scope";
        let told = reason(&undelegated(terminal), true);
        assert_eq!(told.found, "others stand in it");
        let step = told.mend.unwrap().step;
        assert!(step.ends_with("systemd-run --user --scope -p Delegate=yes"), "{step}");
        assert_eq!(reason(&undelegated(terminal), false).mend, None);
        let withheld = Obstacle::Withheld { missing: "memory".to_owned() };
        assert!(reason(&withheld, true).mend.unwrap().step.contains("user@.service"));
        let one = reason(&Obstacle::VersionOne, true).mend.unwrap().step;
        assert!(one.contains("systemd.unified_cgroup_hierarchy=1"), "{one}");
        let unknown = |missing: &str| Obstacle::Unknown { missing: missing.to_owned() };
        let small = reason(&unknown("memory"), false).mend.unwrap().step;
        assert!(small.starts_with("add cgroup_enable=memory to"), "{small}");
        assert_eq!(reason(&unknown("memory and pids"), true).mend, None);
        assert_eq!(reason(&Obstacle::Nothing, true).mend, None);
    }
}
