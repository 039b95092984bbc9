//! What of a candidate's input is taken at all: sizes, languages, and no file twice.

use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::v1::judging::CodeSubmitted;
use vosim_protocol::v1::problem::{Language, Problem};
use vosim_protocol::{BlobRef, Hash};

use crate::parts::memory::{JudgedSubmission, Submissions};
use crate::rejection::Rejection;

/// Longest path of a file, bytes.
const FILE_PATH_MAX_BYTES: usize = 4096;

/// Refuses more than so many bytes.
pub fn bound(what: &'static str, size: u64, limit: usize) -> Result<(), Rejection> {
    at_most(what, "bytes", size, limit)
}

/// Refuses more than so many of a unit, which is a plural.
pub fn at_most(
    what: &'static str,
    unit: &'static str,
    size: u64,
    limit: usize,
) -> Result<(), Rejection> {
    let limit = limit as u64;
    if size > limit { Err(Rejection::TooLarge { what, unit, size, limit }) } else { Ok(()) }
}

/// Refuses a file that cannot be judged, whatever stands in it.
pub fn file(
    problem: &Problem,
    file_path: &str,
    code: &BlobRef,
    language: Language,
) -> Result<(), Rejection> {
    bound("the file", code.bytes, SUBMISSION_MAX_BYTES)?;
    path(problem, file_path, language)
}

/// The same while its bytes are not there yet.
pub fn path(problem: &Problem, file_path: &str, language: Language) -> Result<(), Rejection> {
    bound("the file's path", file_path.len() as u64, FILE_PATH_MAX_BYTES)?;
    let starters = &problem.starters;
    if starters.contains_key(&language) {
        return Ok(());
    }
    let offered: Vec<_> = starters.keys().map(|language| language.name()).collect();
    Err(Rejection::LanguageNotOffered {
        language: language.name().to_owned(),
        offered: offered.join(", "),
    })
}

/// Whether this is a starter file as it was handed out.
pub fn is_starter(problem: &Problem, code: Hash) -> bool {
    problem.starters.values().any(|text| Hash::of(text.as_bytes()) == code)
}

/// Refuses a starter file without any work in it, unless it shall be judged all the same.
pub fn work(problem: &Problem, code: &BlobRef, again: bool) -> Result<(), Rejection> {
    if again || !is_starter(problem, code.hash) { Ok(()) } else { Err(Rejection::StarterUntouched) }
}

/// The submission that judged the same bytes; refused unless they shall be judged `again`
/// (DECISIONS 15).
pub fn earlier<'a>(
    submissions: &'a Submissions,
    code: &BlobRef,
    again: bool,
) -> Result<Option<&'a JudgedSubmission>, Rejection> {
    let earlier = submissions.of_code(code.hash);
    if let Some(JudgedSubmission { result, .. }) = earlier.filter(|_| !again) {
        return Err(Rejection::IdenticalSubmission {
            submission: result.attempt_number,
            passed: result.tests_passed,
            total: result.tests_passed + result.tests_failed,
        });
    }
    Ok(earlier)
}

/// A submission that can be judged: a file that is taken, with work in it, that was not judged before or
/// shall be judged `again`.
pub fn submission(
    problem: &Problem,
    submissions: &Submissions,
    file_path: &str,
    code: &BlobRef,
    language: Language,
    again: bool,
) -> Result<CodeSubmitted, Rejection> {
    file(problem, file_path, code, language)?;
    work(problem, code, again)?;
    let repeated = earlier(submissions, code, again)?.is_some();
    Ok(CodeSubmitted {
        // DECISIONS 15: the number of an aborted submission is used again.
        attempt_number: submissions.count() + 1,
        file_path: file_path.to_owned(),
        code_hash: code.hash,
        line_count: code.line_count,
        bytes: code.bytes,
        language,
        repeated,
    })
}
