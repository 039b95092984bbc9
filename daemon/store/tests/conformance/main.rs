//! One suite against every backend: what the log promises, and that it holds when machines fail.
//!
//! `VOSIM_SOAK=1` runs the crash rounds of `make soak`. Power cuts and full disks need root and loop
//! devices; without them those tests print that they were skipped.

mod archive;
mod backups;
mod blobs;
mod committer;
mod damage;
mod kill;
mod log;
mod mounts;
mod opening;
mod power;
mod room;
mod support;
mod writer;
