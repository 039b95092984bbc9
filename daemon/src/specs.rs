//! Makes the spec blob of a new session: everything its rules depend on, one arm for each kind.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use vosim_agent::workspace::Workspace;
use vosim_engine::parts::{budget, hearing};
use vosim_protocol::next::Next;
use vosim_protocol::v1::agent::{Caps, Exam, ModelName, ModelSort, Price, Sitting, TaskLanguage};
use vosim_protocol::v1::attempt::Mode;
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::{attempt, drill, interview, task};
use vosim_protocol::{Blob, ErrorCode, ErrorObject, Hash, Json, Kind, SessionId, Wire};

use crate::content::{self, Package};
use crate::daemon::Daemon;
use crate::problems;

/// The problem of a session that names none (000: LRU Cache).
const DEFAULT_PROBLEM: &str = "lru_cache";

/// A spec blob and the blobs it names.
#[derive(Debug)]
pub(crate) struct SpecBlob {
    pub(crate) bytes: Vec<u8>,
    pub(crate) blobs: Vec<Blob>,
}

/// Makes the spec of a new session.
pub(crate) async fn spec(
    daemon: &Rc<Daemon>,
    kind: Kind,
    id: SessionId,
    args: &Json,
) -> Result<SpecBlob, ErrorObject> {
    match kind {
        Kind::Drill => drill(daemon, start(args)?).await,
        Kind::Interview => interview(daemon, start(args)?).await,
        Kind::Attempt => attempt(daemon, start(args)?).await,
        Kind::Task => task(daemon, id, start(args)?).await,
        #[cfg(feature = "errand")]
        Kind::Errand => start::<vosim_protocol::v1::errand::Start>(args)
            .map(|spec| SpecBlob { bytes: spec.to_line(), blobs: Vec::new() }),
    }
}

fn start<T: Wire>(args: &Json) -> Result<T, ErrorObject> {
    let args = if args.is_null() { Json::Object(Default::default()) } else { args.clone() };
    T::from_json(args)
        .map_err(|error| ErrorObject::new(ErrorCode::InvalidParams, format!("args: {error}")))
}

async fn drill(daemon: &Rc<Daemon>, start: drill::Start) -> Result<SpecBlob, ErrorObject> {
    let package = package(daemon, start.problem.as_deref()).await?;
    let spec = drill::Spec {
        problem: package.problem.clone(),
        suite: Hash::of(&package.suite_blob),
        draw: package.draw(seed()),
        python_version: python_version(daemon).await,
    };
    Ok(SpecBlob { bytes: spec.to_line(), blobs: vec![Blob(package.suite_blob.clone())] })
}

async fn attempt(daemon: &Rc<Daemon>, start: attempt::Start) -> Result<SpecBlob, ErrorObject> {
    let package = package(daemon, start.problem.as_deref()).await?;
    let flags = daemon.config.attempt;
    let by_default = if flags.beginner_mode_default { Mode::Beginner } else { Mode::Expert };
    let spec = attempt::Spec {
        problem: package.problem.clone(),
        suite: Hash::of(&package.suite_blob),
        draw: package.draw(seed()),
        guide: package.guide(),
        fields: content::fields().to_vec(),
        hearing: Some(hearing::current()),
        v2_flow: flags.attempt_v2_flow,
        mode: start.mode.unwrap_or(by_default),
        python_version: python_version(daemon).await,
    };
    Ok(SpecBlob { bytes: spec.to_line(), blobs: vec![Blob(package.suite_blob.clone())] })
}

async fn interview(daemon: &Rc<Daemon>, start: interview::Start) -> Result<SpecBlob, ErrorObject> {
    let package = package(daemon, start.problem.as_deref()).await?;
    let python = python_version(daemon).await;
    // A schema of the person's own is read and checked: not on the arbiter.
    let (mut spec, suite) = {
        let package = Arc::clone(&package);
        daemon.blocking(move |_| content::interview::interview(&start, &package, python)).await?
    };
    spec.draw = package.draw(seed());
    Ok(SpecBlob { bytes: spec.to_line(), blobs: vec![Blob(suite)] })
}

/// What one task, and all tasks of a day, may use up where nothing else is said. No cap holds for money: a
/// price is known only where somebody has set one.
const TASK_CAPS: Caps =
    Caps { tokens: Some(2_000_000), calls: Some(400), cost_micros: None, wall_secs: Some(7_200) };
const DAY_CAPS: Caps =
    Caps { tokens: Some(10_000_000), calls: Some(4_000), cost_micros: None, wall_secs: None };

/// 002 7.1: what cannot be a task is refused early.
async fn task(daemon: &Daemon, id: SessionId, start: task::Start) -> Result<SpecBlob, ErrorObject> {
    let refused = |message: String, how: &str| {
        let next = vec![Next::edit(how)];
        Err(ErrorObject { next, ..ErrorObject::new(ErrorCode::InvalidInput, message) })
    };
    let task::Start { task, problem, sitting, language, model, workspace, caps } = start;
    let (mut task, length) = (task.trim().to_owned(), task.trim().chars().count());
    let mut exam = None;
    if let Some(problem) = problem {
        let (text, sat) = exam_of(daemon, &problem, sitting, language).await?;
        task = text;
        exam = Some(sat);
    } else if !task::TASK_CHARS.contains(&length) {
        let message = format!("a task has 10 to 500 characters; this has {length}");
        return refused(message, "say what is to be built, and how one sees that it works");
    }
    if caps.wall_secs == Some(0) {
        return refused("a task needs some time".to_owned(), "give it a minute at least");
    }
    // DECISIONS 50: a script and a recording run by name alone.
    let configured = daemon
        .configured
        .name()
        .map(|name| ModelName { sort: ModelSort::Openai, name: name.to_owned() });
    let repairs = match (&exam, &workspace) {
        _ if language != TaskLanguage::Python => Err("repair changes programs in Python alone"),
        (Some(_), _) => Ok(()),
        (None, None) => Err("repair needs a folder with a program and its tests"),
        (None, Some(folder)) => repairable(daemon, folder.clone()).await,
    };
    // DECISIONS 50: where no model is set, a program with its tests can still be repaired.
    let offline = || match (&exam, repairs) {
        (None, Ok(())) => Some(ModelName { sort: ModelSort::Repair, name: String::new() }),
        (Some(_), _) | (None, Err(_)) => None,
    };
    let Some(model) = model.or(configured).or_else(offline) else {
        let message = "no model is set that could propose anything".to_owned();
        let how =
            "set [model] kind = \"openai\", address and name in the settings, or name a model";
        return refused(message, how);
    };
    if model.sort == ModelSort::Repair
        && let Err(why) = repairs
    {
        return refused(why.to_owned(), "name the folder with --workspace, or another model");
    }
    // What runs here costs nothing; what a server takes is known only where somebody has said so.
    let price = match model.sort {
        ModelSort::Script | ModelSort::Replay | ModelSort::Repair => {
            Some(Price { prompt_micros: 0, completion_micros: 0 })
        }
        ModelSort::Openai => {
            let config = &daemon.config.model;
            let prices = config.prompt_price_micros.zip(config.completion_price_micros);
            prices.map(|(prompt_micros, completion_micros)| Price {
                prompt_micros,
                completion_micros,
            })
        }
    };
    let own_workspace = workspace.is_none();
    let made = || daemon.workspace_of(id).display().to_string();
    let spec = task::Spec {
        task,
        language,
        model,
        fallback: None,
        price,
        workspace: workspace.unwrap_or_else(made),
        own_workspace,
        exam,
        rounds: task::Rounds::default(),
        caps: budget::changed(TASK_CAPS, caps),
        day: DAY_CAPS,
    };
    Ok(SpecBlob { bytes: spec.to_line(), blobs: Vec::new() })
}

/// Whether a folder holds what `repair` needs.
async fn repairable(daemon: &Daemon, folder: String) -> Result<(), &'static str> {
    let files = daemon.blocking(move |_| {
        let workspace = Workspace::open(Path::new(&folder)).ok()?;
        let names = workspace.files().into_iter().map(|name| name.to_string());
        Some(names.filter(|name| name.ends_with(".py")).collect::<Vec<_>>())
    });
    let files = files.await.ok_or("the folder cannot be opened")?;
    let (tests, programs): (Vec<_>, Vec<_>) = files.iter().partition(|name| task::is_test(name));
    match (programs.is_empty(), tests.is_empty()) {
        (false, false) => Ok(()),
        (true, _) => Err("repair needs a program in Python to start from, and the folder has none"),
        (false, true) => Err("repair needs tests of pytest, and the folder has none"),
    }
}

/// What a candidate is told of a problem, and the session that the agent sits.
async fn exam_of(
    daemon: &Daemon,
    problem: &str,
    sitting: Sitting,
    language: TaskLanguage,
) -> Result<(String, Exam), ErrorObject> {
    let package = package(daemon, Some(problem)).await?;
    let problem = &package.problem;
    let (language, file) = match language {
        TaskLanguage::Python => (Language::Python, "solution.py"),
        TaskLanguage::Node => (Language::Javascript, "solution.js"),
    };
    let Some(starter) = problem.starters.get(&language) else {
        let message = format!("{} cannot be solved in {language}", problem.id);
        return Err(ErrorObject::new(ErrorCode::LanguageNotOffered, message));
    };
    let (title, statement) = (&problem.title, &problem.statement);
    let told = match sitting {
        Sitting::Drill => format!(
            "{title}\n\n{statement}\n\nWrite the solution into {file}, which holds the starter. \
             Hidden cases judge it."
        ),
        Sitting::Attempt => format!(
            "{title}\n\n{statement}\n\nYou take it in the five steps of a guided attempt, by commands \
             of the tool `session`. The solution belongs into {file}, which holds the starter; the \
             command `submit` has hidden cases judge it. Go on until the attempt is complete."
        ),
        // What it is about is said in the interview.
        Sitting::Interview => format!(
            "You are the candidate in an interview about {title}. Begin it with the tool `session`, \
             whose answers tell what the interviewer says; answer in plain words. The solution belongs \
             into {file}, which holds the starter; the command `submit` has hidden cases judge it. \
             Finish each section with `done`, and go on until the interview is over."
        ),
    };
    let (session, problem) = (SessionId(uuid::Uuid::new_v4()), problem.id.to_string());
    let (file, starter) = (file.to_owned(), starter.clone());
    Ok((told, Exam { session, sitting, problem, file, language, starter }))
}

/// What the session is about; somebody's own package must have been proved.
async fn package(daemon: &Daemon, name: Option<&str>) -> Result<Arc<Package>, ErrorObject> {
    problems::proved(daemon, name.unwrap_or(DEFAULT_PROBLEM)).await
}

/// What a new session's hidden inputs depend on: 53 bits, which every reader of JSON keeps.
fn seed() -> u64 {
    uuid::Uuid::new_v4().as_u64_pair().1 >> 11
}

/// Without an interpreter a session can begin; a submission then says what is missing.
async fn python_version(daemon: &Rc<Daemon>) -> String {
    let evaluator = Arc::clone(&daemon.evaluator);
    let python = daemon.blocking(move |_| evaluator.python()).await;
    python.map_or_else(|_| "unknown".to_owned(), |python| python.version)
}
