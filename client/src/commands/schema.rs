//! `schema check` and `schema show`: `vosimd` knows the format, and no daemon is needed.

use std::path::Path;

use vosim_protocol::v1::interview::SHIPPED_SCHEMAS;

use crate::cli::Schema;
use crate::commands::Context;
use crate::errors::{Exit, Failure};
use crate::files::Input;
use crate::launch::Offline;

pub(crate) fn run(command: &Schema, context: &Context) -> Result<Exit, Failure> {
    match command {
        Schema::Check { file } => {
            let file = Input::named(file)?;
            let work = Offline::new(&["schema", "check"])?.path(file.path())?;
            work.flag("--json", context.output.is_json()).run()
        }
        Schema::Show { file } => {
            let work = Offline::new(&["schema", "show"])?.flag("--json", context.output.is_json());
            match file {
                // A file of that name is reached by ./standard, as where an interview is started.
                Some(name) if is_shipped(name) => work.file(name).run(),
                Some(file) => {
                    let file = Input::named(file)?;
                    work.path(file.path())?.run()
                }
                None => work.run(),
            }
        }
    }
}

/// Whether this is the name of a schema that comes with vosim, and so no path.
fn is_shipped(name: &Path) -> bool {
    SHIPPED_SCHEMAS.into_iter().any(|shipped| name == Path::new(shipped))
}
