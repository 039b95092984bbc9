//! Work that needs no daemon: `vosimctl` runs it as a child process (DECISIONS 32).
//!
//! Nothing here uses a socket. Each function returns what was found, and the text for a person;
//! printing it is left to the program.

pub mod bundle;
pub mod package;
pub mod records;
pub mod schema;
pub mod store;
