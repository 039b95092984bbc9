//! One suite against every backend: what the log promises, and that it holds when machines fail.
//!
//! `VOSIM_SOAK=1` runs the crash rounds of `make soak`. Power cuts and full disks need root and
//! loop devices.

#[cfg(test)]
mod archive;
#[cfg(test)]
mod backups;
#[cfg(test)]
mod blobs;
#[cfg(test)]
mod committer;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod kill;
#[cfg(test)]
mod log;
#[cfg(test)]
mod mounts;
#[cfg(test)]
mod opening;
#[cfg(test)]
mod power;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod room;
#[cfg(test)]
mod side;
#[cfg(test)]
mod support;
#[cfg(test)]
mod writer;
