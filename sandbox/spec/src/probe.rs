//! The probe's answer: one whole run on this machine, with all that held and all that did not.

use serde::{Deserialize, Serialize};

use crate::{Level, RunReport, Verdict};

/// Version of [`ProbeReport`], which only gains, so a reader takes every version from 1 on.
pub const PROBE_VERSION: u32 = 1;

/// The isolation that a machine gives to the account that runs programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeReport {
    /// [`PROBE_VERSION`] of the writer.
    pub version: u32,
    /// Release of the kernel, as `uname -r` prints it.
    pub kernel: String,
    /// The account that runs programs.
    pub uid: u32,
    /// The group.
    pub gid: u32,
    /// The report of the run. A control whose effect the program could not see is lowered in it.
    pub run: RunReport,
    /// Whether a run can have an approved network; absent where no run could be made at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_network: Option<ApprovedNetwork>,
}

/// What came of a run that should have an approved network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "answer")]
pub enum ApprovedNetwork {
    /// It had one.
    Given,
    /// The program that leads such a network outside is missing.
    NotInstalled,
    /// It was not started for another reason.
    Refused {
        /// The reason, as the run's report has it.
        why: String,
    },
}

impl ProbeReport {
    /// The level at which programs can be run; D where the run did not end well.
    pub fn level(&self) -> Level {
        if self.run.verdict == Verdict::Ok { self.run.level } else { Level::D }
    }
}
