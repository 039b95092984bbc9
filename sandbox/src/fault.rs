//! The errors before the program runs, by whose fault they are.

use nix::errno::Errno;
use nix::sys::resource::Resource;
use vosim_sandbox_spec::{LANDLOCK_TOO_WEAK, NO_NETWORK, Refusal, TOO_STRICT};

use crate::landlock_status::LandlockStatus;

/// A step of the set-up that did not work.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// The kernel refuses a layer: the next weaker level may be tried.
    #[error("{step}: {}", told(*.errno))]
    Refused {
        /// The attempt.
        step: &'static str,
        #[source]
        errno: Errno,
    },
    /// The request names a file that is not there.
    #[error("{what}: {}", told(*.errno))]
    Missing {
        /// The path.
        what: String,
        #[source]
        errno: Errno,
    },
    /// A limit of the run is above what the helper itself may have.
    #[error(
        "the run needs {resource:?} {wanted}, and {allowed} {TOO_STRICT}; raise that limit (ulimit \
         -{})", letter(*.resource)
    )]
    TooStrict {
        /// Which limit.
        resource: Resource,
        /// What the run needs, in the kernel's unit.
        wanted: u64,
        /// What may be had.
        allowed: u64,
    },
    /// The forked child could not become the program.
    #[error("the program did not start: {0}")]
    Start(String),
    /// Landlock is all that would hold the program, and it is not enough.
    #[error(
        "the program did not start: {LANDLOCK_TOO_WEAK}, found {}", .0.abi
    )]
    LandlockTooWeak(LandlockStatus),
    /// The run should have a network that cannot be held to what was approved.
    #[error("{NO_NETWORK}: {0}")]
    NoNetwork(String),
    /// The request makes no sense.
    #[error("{0}")]
    Request(String),
}

/// The letter by which a shell's `ulimit` raises a limit.
const fn letter(resource: Resource) -> char {
    match resource {
        Resource::RLIMIT_AS => 'v',
        Resource::RLIMIT_CPU => 't',
        Resource::RLIMIT_DATA => 'd',
        Resource::RLIMIT_FSIZE => 'f',
        Resource::RLIMIT_NOFILE => 'n',
        Resource::RLIMIT_NPROC => 'u',
        _ => 'a',
    }
}

/// Adds the step to an answer of the kernel.
pub(crate) trait At<T> {
    fn at(self, step: &'static str) -> Result<T, Fault>;
}

impl<T> At<T> for nix::Result<T> {
    fn at(self, step: &'static str) -> Result<T, Fault> {
        self.map_err(|errno| Fault::Refused { step, errno })
    }
}

impl<T> At<T> for std::io::Result<T> {
    fn at(self, step: &'static str) -> Result<T, Fault> {
        self.map_err(|error| Fault::Refused { step, errno: errno_of(&error) })
    }
}

impl<T> At<T> for Result<T, rustix::io::Errno> {
    fn at(self, step: &'static str) -> Result<T, Fault> {
        self.map_err(|errno| Fault::Refused { step, errno: Errno::from_raw(errno.raw_os_error()) })
    }
}

/// Returns a refused step as the report has it.
pub(crate) fn refusal(step: &str, errno: Errno) -> Refusal {
    Refusal { step: step.to_owned(), errno: errno as i32 }
}

/// Returns a refused step in words.
pub(crate) fn words(Refusal { step, errno }: &Refusal) -> String {
    format!("{step}: {}", vosim_sandbox_spec::words(*errno))
}

/// Returns an answer of the kernel in words.
pub(crate) fn told(errno: Errno) -> String {
    vosim_sandbox_spec::words(errno as i32)
}

/// Returns the number of an I/O error; EIO where there is none.
pub(crate) fn errno_of(error: &std::io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::EIO, Errno::from_raw)
}
