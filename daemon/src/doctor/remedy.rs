//! The reason why a layer of the sandbox is missing and the one step that gets it, from the refusal
//! that a run met and the settings that explain it. Where nothing explains a refusal there is no
//! step: a wrong command is worse than none.

use std::path::Path;

use nix::errno::Errno;
use vosim_sandbox_spec::{INSTALLING_FILTER, Layer, MAKING_NAMESPACES, Refusal, Shortfall};

use super::host::{Host, Obstacle};
use crate::runtime_dir::quoted;

/// The path of the AppArmor profile that Ubuntu asks for.
pub(super) const PROFILE: &str = "/etc/apparmor.d/vosim-sandbox";

/// Settings that refuse namespaces to accounts without rights: name, refusing value, allowing one.
const CLONE: (&str, &str, &str) = ("kernel.unprivileged_userns_clone", "0", "1");
const COUNT: (&str, &str, &str) = ("user.max_user_namespaces", "0", "15000");
const APPARMOR: (&str, &str) = ("kernel.apparmor_restrict_unprivileged_userns", "1");

/// The file in which a setting survives a reboot.
const SETTINGS_FILE: &str = "/etc/sysctl.d/60-vosim.conf";

/// The step that gives a daemon without a unit a cgroup of its own.
const IN_A_SCOPE: &str =
    "begin the command that starts it with: systemd-run --user --scope -p Delegate=yes";

/// Controls that an older Landlock lacks: the version and the kernel that brought each.
const LANDLOCK: [(u8, &str, &str); 5] = [
    (2, "moving between folders", "5.19"),
    (3, "truncation", "6.2"),
    (4, "TCP", "6.7"),
    (5, "devices", "6.10"),
    (6, "signals and abstract sockets", "6.12"),
];

/// A missing layer in words, and the step that gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remedy {
    pub(super) layer: &'static str,
    pub(super) held: Layer,
    pub(super) found: String,
    pub(super) step: Option<String>,
}

/// Returns the remedy of a shortfall on this machine; `helper` is the path of `vosim-sandbox`.
pub(super) fn remedy(shortfall: &Shortfall, host: &Host, helper: &Path) -> Remedy {
    let absent = |layer, (found, step)| Remedy { layer, held: Layer::Absent, found, step };
    match shortfall {
        Shortfall::Namespaces(refusal) => absent("namespaces", namespaces(refusal, host, helper)),
        Shortfall::LandlockDisabled => {
            let found = "the kernel has it, and was booted without it".to_owned();
            absent("Landlock", (found, Some(boot_with_landlock(host))))
        }
        Shortfall::LandlockUnknown => absent("Landlock", unknown_landlock(host)),
        Shortfall::LandlockPartial { abi } => {
            Remedy { held: Layer::Degraded, ..absent("Landlock", (partial_landlock(*abi), None)) }
        }
        Shortfall::CallFilter => {
            let found = "the call numbers of this architecture are not known".to_owned();
            absent("call filter", (found, None))
        }
        Shortfall::ControlGroup { held, why } => {
            Remedy { held: *held, ..absent("control group", control_group(why, host)) }
        }
    }
}

/// Returns the remedy where a program was not started because the kernel cannot filter calls.
pub(super) fn call_filter(error: &str, host: &Host) -> Option<Remedy> {
    let refused = error.contains(INSTALLING_FILTER);
    (refused && host.setting("kernel.seccomp.actions_avail").is_none()).then(|| Remedy {
        layer: "call filter",
        held: Layer::Absent,
        found: "the kernel was built without it".to_owned(),
        step: Some("boot a kernel with CONFIG_SECCOMP_FILTER".to_owned()),
    })
}

/// A finding in words, and the step that changes it.
type Finding = (String, Option<String>);

/// Explains why a namespace, or a step inside it, was refused.
fn namespaces(Refusal { step, errno }: &Refusal, host: &Host, helper: &Path) -> Finding {
    let said = format!("{step}: {}", vosim_sandbox_spec::words(*errno));
    let errno = Errno::from_raw(*errno);
    let making = step == MAKING_NAMESPACES;
    let is = |name: &str, value: &str| host.setting(name).as_deref() == Some(value);
    match errno {
        // The limit here or in an outer namespace is 0, or all are in use.
        Errno::ENOSPC | Errno::EUSERS if making => {
            if is(COUNT.0, COUNT.1) {
                return (format!("{said}: {} is 0", COUNT.0), Some(settings(host)));
            }
            (format!("{said}: the limit is reached here or outside of this container"), None)
        }
        Errno::EPERM if making && is(CLONE.0, CLONE.1) => {
            (format!("{said}: {} is 0", CLONE.0), Some(settings(host)))
        }
        Errno::EPERM | Errno::EACCES if is(APPARMOR.0, APPARMOR.1) => {
            let found = format!("{said}: AppArmor asks for a profile ({} is 1)", APPARMOR.0);
            (found, Some(load_profile(helper)))
        }
        Errno::EPERM | Errno::EACCES | Errno::ENOSYS if host.is_filtered() => {
            refused_by_filter(&said, host)
        }
        Errno::ENOSYS => {
            (format!("{said}: the kernel is too old"), Some("boot Linux 5.12 or newer".to_owned()))
        }
        Errno::EINVAL if making => (
            format!("{said}: the kernel was built without these namespaces"),
            Some("boot a kernel with CONFIG_NAMESPACES and CONFIG_USER_NS".to_owned()),
        ),
        _ => (said, None),
    }
}

/// Returns the command that changes the refusing settings, now and after a reboot.
fn settings(host: &Host) -> String {
    let refusing = [CLONE, COUNT]
        .into_iter()
        .filter(|(name, refusing, _)| host.setting(name).as_deref() == Some(*refusing));
    let lines: Vec<_> = refusing.map(|(name, _, allowing)| format!("{name}={allowing}")).collect();
    let lines = lines.join(" ");
    format!("printf '%s\\n' {lines} | sudo tee {SETTINGS_FILE} && sudo sysctl -p {SETTINGS_FILE}")
}

fn load_profile(helper: &Path) -> String {
    let helper = quoted(helper);
    format!(
        "{helper} probe --apparmor-profile | sudo tee {PROFILE} && \
         sudo apparmor_parser -r {PROFILE}"
    )
}

/// Explains a refusal by a filter, as container engines and service managers install it.
fn refused_by_filter(said: &str, host: &Host) -> Finding {
    if host.is_container() {
        let found = format!("{said}: the container's filter of system calls refuses it");
        let step = "start the container with: --security-opt seccomp=unconfined \
                    --security-opt apparmor=unconfined";
        return (found, Some(step.to_owned()));
    }
    let found = format!("{said}: a filter of system calls on this process refuses it");
    (found, edit_our_unit(host, "[Service], RestrictNamespaces=no"))
}

fn unknown_landlock(host: &Host) -> Finding {
    let release = host.release();
    match host.version() {
        Some(version) if version < (5, 13) => (
            format!("Linux {release} does not know it"),
            Some("boot Linux 5.13 or newer, better 6.12".to_owned()),
        ),
        _ if host.is_filtered() => refused_by_filter("asking for Landlock: ENOSYS", host),
        Some(_) | None => (
            format!("Linux {release} was built without it"),
            Some("boot a kernel with CONFIG_SECURITY_LANDLOCK".to_owned()),
        ),
    }
}

fn partial_landlock(abi: u8) -> String {
    let missing = LANDLOCK.iter().filter(|(brought, ..)| abi < *brought);
    let missing: Vec<_> =
        missing.map(|(_, what, kernel)| format!("{what} (Linux {kernel})")).collect();
    match missing[..] {
        [] => format!("ABI {abi}, not in full"),
        _ => format!("ABI {abi}, without {}", missing.join(", ")),
    }
}

fn boot_with_landlock(host: &Host) -> String {
    let others = host.security_modules();
    // `capability` is always there and must not be named.
    let others = others.split(',').filter(|name| !["", "capability", "landlock"].contains(name));
    let modules = ["landlock"].into_iter().chain(others).collect::<Vec<_>>().join(",");
    if host.has_grub_folder() {
        return format!(
            "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX lsm={modules}\"' | \
             sudo tee /etc/default/grub.d/vosim.cfg && sudo update-grub && sudo reboot"
        );
    }
    boot_with(&format!("lsm={modules}"))
}

fn boot_with(parameter: &str) -> String {
    format!("add {parameter} to the kernel's boot parameters, and reboot")
}

/// Explains how to get a control group of our own, which is missing because of `why`.
fn control_group(why: &str, host: &Host) -> Finding {
    let systemd = host.has_systemd();
    match host.obstacle() {
        Obstacle::NoTree => ("no cgroup of version 2 is mounted".to_owned(), None),
        Obstacle::VersionOne => {
            let found = "memory and processes are counted by cgroups of version 1".to_owned();
            (found, systemd.then(|| boot_with("systemd.unified_cgroup_hierarchy=1")))
        }
        Obstacle::NoController { missing } => {
            let found = format!("the kernel gives no controller for {missing}");
            // Some small machines are booted without the controller.
            (found, (missing == "memory").then(|| boot_with("cgroup_enable=memory")))
        }
        Obstacle::Withheld { .. } | Obstacle::Undelegated if !systemd => (why.to_owned(), None),
        Obstacle::Withheld { missing } => {
            let found = format!("{why}; the user's services are given no {missing}");
            let edit = "sudo systemctl edit user@.service && sudo systemctl daemon-reload, then \
                        log out and in again";
            (found, Some(with_text(edit, "[Service], Delegate=cpu memory pids")))
        }
        Obstacle::Undelegated => {
            let edit = edit_our_unit(host, "[Service], Delegate=yes");
            (why.to_owned(), edit.or_else(|| Some(IN_A_SCOPE.to_owned())))
        }
    }
}

/// Returns the command that edits our own service, in whichever leaf of it we run. None in a login
/// session or a terminal: no other service should be changed for this.
fn edit_our_unit(host: &Host, lines: &str) -> Option<String> {
    let group = host.cgroup();
    let ours = |step: &&str| step.starts_with("vosim") && step.ends_with(".service");
    let unit = quoted(Path::new(group.rsplit('/').find(ours)?));
    let manager = if group.contains("/user@") { "systemctl --user" } else { "sudo systemctl" };
    let edit = format!("{manager} edit {unit} && {manager} restart {unit}");
    Some(with_text(&edit, lines))
}

/// Returns a step that opens an editor, with the lines to write there.
fn with_text(step: &str, lines: &str) -> String {
    format!("{step} (write there: {lines})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::host::tests::host;

    const HELPER: &str = "/opt/my tools/vosim-sandbox";
    const MAKING: &str = "making namespaces: the system does not permit it";

    fn refused(step: &str, errno: Errno) -> Shortfall {
        Shortfall::Namespaces(Refusal { step: step.to_owned(), errno: errno as i32 })
    }

    fn unborn(errno: Errno) -> Shortfall {
        refused(MAKING_NAMESPACES, errno)
    }

    /// Returns the remedy on a machine with these files.
    fn told(files: &[(&str, &str)], shortfall: &Shortfall) -> Finding {
        let (_dir, host) = host(files);
        let Remedy { found, step, .. } = remedy(shortfall, &host, Path::new(HELPER));
        (found, step)
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
        for (step, errno) in [
            ("closing setgroups", Errno::EACCES),
            ("mapping the user", Errno::EPERM),
            ("mounting the private root", Errno::EACCES),
            (MAKING_NAMESPACES, Errno::EACCES),
        ] {
            let (found, remedy) = told(&ubuntu, &refused(step, errno));
            assert_eq!(remedy.as_deref(), Some(profile), "{step}");
            assert!(found.starts_with(step) && found.contains("AppArmor"), "{found}");
        }
        assert_eq!(told(&ubuntu, &unborn(Errno::ENOSPC)).1, None, "no profile changes that");
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
        assert_eq!(found, format!("{MAKING}: kernel.unprivileged_userns_clone is 0"));
        assert_eq!(told(&[COUNT], &unborn(Errno::ENOSPC)).1, set(count));
        let all = set(&format!("{clone} {count}"));
        assert_eq!(told(&[CLONE, COUNT], &unborn(Errno::EPERM)).1, all, "both in one file");
        // The setting stands there, but it is not what was met.
        assert_eq!(told(&[COUNT], &unborn(Errno::EPERM)).1, None);
        let mount = refused("mounting the private root", Errno::EPERM);
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
    fn our_own_service_that_restricts_namespaces_is_edited_and_no_other() {
        let step = |cgroup: &str| {
            let files = [("proc/self/status", "Seccomp:\t2\n"), ("proc/self/cgroup", cgroup)];
            told(&files, &unborn(Errno::EPERM)).1
        };
        let ours = "0::/user.slice/user-1.slice/user@1.service/app.slice/vosimd.service\n";
        let edit = "systemctl --user edit vosimd.service && systemctl --user restart vosimd.service \
             (write there: [Service], RestrictNamespaces=no)";
        assert_eq!(step(ours).as_deref(), Some(edit));
        assert_eq!(step("0::/user.slice/user-1.slice/user@1.service/emacs.service\n"), None);
        assert_eq!(step("0::/user.slice/user-1.slice/session-3.scope\n"), None);
    }

    #[test]
    fn what_a_kernel_lacks_is_named_by_its_version_or_its_configuration() {
        let step = |errno| told(&[], &unborn(errno)).1.unwrap();
        assert_eq!(step(Errno::ENOSYS), "boot Linux 5.12 or newer");
        assert_eq!(step(Errno::EINVAL), "boot a kernel with CONFIG_NAMESPACES and CONFIG_USER_NS");
        let (_dir, without) = host(&[]);
        let error = format!("the program did not start: {INSTALLING_FILTER}: EINVAL");
        let filter = call_filter(&error, &without).unwrap().step.unwrap();
        assert_eq!(filter, "boot a kernel with CONFIG_SECCOMP_FILTER");
        assert_eq!(call_filter("the program did not start", &without), None);
        let (_dir, with) = host(&[("proc/sys/kernel/seccomp/actions_avail", "errno allow")]);
        assert_eq!(call_filter(&error, &with), None);
    }

    #[test]
    fn a_landlock_that_was_left_out_at_boot_is_told_apart_from_none_and_from_an_old_one() {
        let unknown = |files| told(files, &Shortfall::LandlockUnknown).1.unwrap();
        let old = [("proc/sys/kernel/osrelease", "5.10.0-28-amd64\n")];
        assert_eq!(unknown(&old), "boot Linux 5.13 or newer, better 6.12");
        let new = [("proc/sys/kernel/osrelease", "6.1.0\n")];
        assert_eq!(unknown(&new), "boot a kernel with CONFIG_SECURITY_LANDLOCK");
        let disabled = |files: &[_]| told(files, &Shortfall::LandlockDisabled).1.unwrap();
        let modules = ("sys/kernel/security/lsm", "capability,lockdown,yama,apparmor\n");
        let parameter = "lsm=landlock,lockdown,yama,apparmor";
        let grub = disabled(&[modules, ("etc/default/grub.d/kdump.cfg", "")]);
        let line = format!("echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX {parameter}\"' |");
        assert!(grub.starts_with(&line) && grub.contains("update-grub"), "{grub}");
        assert!(disabled(&[modules]).starts_with(&format!("add {parameter} to the kernel's")));
        let partial = told(&[], &Shortfall::LandlockPartial { abi: 4 });
        let wanted =
            "ABI 4, without devices (Linux 6.10), signals and abstract sockets (Linux 6.12)";
        assert_eq!(partial, (wanted.to_owned(), None));
    }

    #[test]
    fn a_cgroup_of_one_s_own_comes_from_the_unit_or_a_scope() {
        const TREE: (&str, &str) = ("sys/fs/cgroup/cgroup.controllers", "memory pids\n");
        const SYSTEMD: (&str, &str) = ("run/systemd/system/x", "");
        let why = "other processes are in it".to_owned();
        let absent = Shortfall::ControlGroup { held: Layer::Absent, why };
        let standing_in = |group: &str, files: &[(&str, &str)]| {
            let own = format!("0::{group}\n");
            let own = [("proc/self/cgroup", own.as_str())];
            told(&[&own[..], files].concat(), &absent)
        };
        let user = "/user.slice/user-1.slice/user@1.service";
        for leaf in ["", "/vosimd"] {
            let unit = format!("{user}/app.slice/vosimd.service{leaf}");
            let step = standing_in(&unit, &[TREE, SYSTEMD]).1.unwrap();
            assert!(step.starts_with("systemctl --user edit vosimd.service"), "{step}");
            assert!(step.ends_with("(write there: [Service], Delegate=yes)"), "{step}");
        }
        let terminal = format!("{user}/app.slice/vte-7.scope");
        let (found, step) = standing_in(&terminal, &[TREE, SYSTEMD]);
        assert_eq!(found, "other processes are in it");
        let step = step.unwrap();
        assert!(step.ends_with("systemd-run --user --scope -p Delegate=yes"), "{step}");
        assert_eq!(standing_in(&terminal, &[TREE]).1, None);
        let manager = format!("sys/fs/cgroup{user}/cgroup.controllers");
        let withheld = [TREE, SYSTEMD, (manager.as_str(), "pids\n")];
        assert!(standing_in(&terminal, &withheld).1.unwrap().contains("user@.service"));
        let one = told(&[("proc/self/cgroup", "4:memory:/\n"), SYSTEMD], &absent).1.unwrap();
        assert!(one.contains("systemd.unified_cgroup_hierarchy=1"), "{one}");
        let small = standing_in("/x", &[(TREE.0, "pids\n")]).1.unwrap();
        assert!(small.starts_with("add cgroup_enable=memory to"), "{small}");
        assert_eq!(standing_in("/x", &[(TREE.0, "\n"), SYSTEMD]).1, None);
        assert_eq!(told(&[SYSTEMD], &absent).1, None);
    }
}
