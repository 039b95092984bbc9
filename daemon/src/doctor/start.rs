//! What a start would refuse, found by the checks that the start itself makes.

use std::path::Path;

use vosim_protocol::paths::Holder;
use vosim_protocol::v1::service::Check;
use vosim_store::{Lock, Options, Store};

use super::blobs;
use super::check::{fail, ok};
use crate::config::Config;
use crate::runtime_dir::Places;

/// Takes the lock and opens the store, as the next daemon will, and looks at its blobs; nothing where
/// nothing is there yet, or where somebody works in it.
pub(super) fn store(places: &Places, config: &Config) -> Vec<Check> {
    const NAME: &str = "store";
    let data = &places.paths.data;
    if !is_there(data) || Lock::holder(data).is_some() {
        return Vec::new();
    }
    let ours = Holder {
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        socket: places.socket.clone(),
    };
    let lock = match Lock::take(data, &ours.to_string()) {
        Ok(lock) => lock,
        Err(error) => return vec![fail(NAME, error.to_string(), None)],
    };
    let options = Options { backend: config.store.backend, ..Options::default() };
    let checks = match Store::open(data, options) {
        Ok(store) => {
            vec![ok(NAME, format!("{} can be opened", data.display())), blobs::check(&store)]
        }
        // The step stands behind the reason.
        Err(error) => vec![fail(NAME, error.to_string(), None)],
    };
    // Nobody else may begin before the database is closed.
    drop(lock);
    checks
}

/// Whether a store, or what is left of one, is in the folder.
fn is_there(data: &Path) -> bool {
    let entries = std::fs::read_dir(data).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| {
        let name = name.to_string_lossy();
        name == "store.json" || name.starts_with("db-")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_protocol::v1::service::CheckStatus;

    #[test]
    fn a_store_that_a_start_would_refuse_is_found_and_a_missing_one_is_not_made() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().to_owned();
        let places = Places::new(&|name| (name == "HOME").then(|| path.clone().into())).unwrap();
        let config = Config::defaults(Path::new("config.toml"));
        assert!(store(&places, &config).is_empty());
        let data = &places.paths.data;
        assert!(!data.exists());
        std::fs::create_dir_all(data).unwrap();
        assert!(store(&places, &config).is_empty());
        assert_eq!(std::fs::read_dir(data).unwrap().count(), 0);
        drop(Store::open(data, Options::default()).unwrap());
        let sound = store(&places, &config);
        assert!(sound.iter().all(|check| check.status == CheckStatus::Ok), "{sound:#?}");
        assert_eq!(sound.len(), 2, "the store and its blobs");
        std::fs::write(data.join("store.json"), "{").unwrap();
        let damaged = store(&places, &config);
        assert_eq!(damaged[0].status, CheckStatus::Fail);
        assert!(damaged[0].found.contains("store.json is cut off"), "{damaged:#?}");
        let _held = Lock::take(data, "pid 7, vosimd 0.1.0").unwrap();
        assert!(store(&places, &config).is_empty(), "somebody works in it");
    }
}
