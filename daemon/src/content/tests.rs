//! Claims about the shipped packages and about what is refused of others.

mod causes;
mod drawn;
mod flaps;
mod guides;
mod judged;
mod lru_cache;
mod proof;
mod refusals;
mod shrunk;

use super::files::Files;
use super::{Package, embedded, read};

fn files() -> Files {
    embedded::lru_cache()
}

fn package() -> Package {
    read::package(&files()).unwrap()
}
