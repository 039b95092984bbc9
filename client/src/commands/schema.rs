//! `schema check` and `schema show`: `vosimd` knows the format, and no daemon is needed.

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
                Some(file) => work.path(Input::named(file)?.path())?.run(),
                None => work.run(),
            }
        }
    }
}
