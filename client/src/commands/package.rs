//! Packages of people's own: named by their folders, and proved before a session is started with one.

use std::path::Path;
use std::time::Duration;

use vosim_protocol::ErrorCode;
use vosim_protocol::v1::service::{
    Create, CreateParams, Created, PROGRESS, PackageParams, ProblemProve, ProgressNotice, Proof,
};

use crate::client::Client;
use crate::commands::absolute;
use crate::connection::Notice;
use crate::errors::{Failure, user_error};
use crate::follow::read;
use crate::output::Output;
use crate::render::progress;
use crate::render::text::shell;

/// Longer than a proof may take, with some time to wait for its turns.
const PROOF: Duration = Duration::from_secs(15 * 60);

/// A problem as the daemon finds it: a folder is told from an id by its slash, and named as a whole.
pub(super) fn named(problem: Option<&str>) -> Result<Option<String>, Failure> {
    let is_folder = |name: &str| name.contains('/') || name == "." || name == "..";
    let whole = |name: &str| match is_folder(name) {
        true => absolute(Path::new(name)),
        false => Ok(name.to_owned()),
    };
    problem.map(whole).transpose()
}

/// Starts a session about a problem; a package that nobody has proved yet is proved first.
pub(super) fn create(
    client: &mut Client,
    params: &CreateParams,
    problem: Option<&str>,
    output: Output,
) -> Result<Created, Failure> {
    match (client.call::<Create>(params), problem) {
        (Err(failure), Some(problem)) if failure.is(ErrorCode::ProblemUnproved) => {
            prove(client, problem, output)?;
            client.call::<Create>(params)
        }
        (Err(failure), Some(problem)) if failure.is(ErrorCode::UnknownProblem) => {
            Err(match Path::new(problem).is_dir() {
                true => failure.hint(format!("For the folder of that name, write ./{problem}")),
                false => failure,
            })
        }
        (answered, _) => answered,
    }
}

/// Has a package proved, unless it was before, and says how far it is.
pub(super) fn prove(client: &mut Client, package: &str, output: Output) -> Result<Proof, Failure> {
    let params = PackageParams { package: package.to_owned() };
    let on_notice = |notice: &Notice| {
        if notice.method == PROGRESS
            && let Ok(step) = read::<ProgressNotice>(notice)
        {
            output.progress(&progress::line(&step, output.look()));
        }
    };
    let proved = client.call_for::<ProblemProve>(&params, PROOF, on_notice);
    output.progress_done();
    let see_all =
        |place: &str| format!("See everything with: vosimctl problems check {}", shell(place));
    let proof = proved.map_err(|failure| match failure.is(ErrorCode::ProblemUnproved) {
        true if package.contains('/') => failure.hint(see_all(package)),
        _ => failure,
    })?;
    let Proof { title, path, fault, broken, programs, .. } = &proof;
    let Some(fault) = fault else { return Ok(proof) };
    let message = format!("{title} is not proved, {broken} of {programs} programs: {fault}");
    let place = path.as_deref().unwrap_or(package);
    Err(user_error(ErrorCode::ProblemUnproved, message).hint(see_all(place)))
}
