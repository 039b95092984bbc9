//! Processors that are kept busy while something else is tried.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::sched::CpuSet;
use nix::unistd::Pid;

/// Spins meanwhile, once on each of these processors; one may be named several times.
pub(crate) fn while_busy<T>(cores: impl Iterator<Item = usize>, body: impl FnOnce() -> T) -> T {
    let over = &AtomicBool::new(false);
    thread::scope(|scope| {
        for core in cores {
            scope.spawn(move || {
                pin(core);
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        over.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|cause| std::panic::resume_unwind(cause))
    })
}

/// Returns the processors that this process may use.
pub(crate) fn cores() -> impl Iterator<Item = usize> {
    let allowed = nix::sched::sched_getaffinity(Pid::from_raw(0)).unwrap();
    (0..CpuSet::count()).filter(move |&core| allowed.is_set(core).unwrap())
}

/// Keeps this thread, and what it starts, on one processor.
pub(crate) fn pin(core: usize) {
    let mut one = CpuSet::new();
    one.set(core).unwrap();
    nix::sched::sched_setaffinity(Pid::from_raw(0), &one).unwrap();
}
