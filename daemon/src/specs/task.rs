//! Makes the spec of a task. What cannot be one is refused early (002 7.1), with what to do.

use std::path::Path;

use vosim_agent::graded::{TestLanguage, is_test_file};
use vosim_agent::workspace::Workspace;
use vosim_engine::parts::budget;
use vosim_protocol::next::Next;
use vosim_protocol::v1::agent::{Exam, ModelName, ModelSort, Price, Sitting, TaskLanguage};
use vosim_protocol::v1::problem::Language;
use vosim_protocol::v1::task::{Rounds, Spec, Start, TASK_CHARS};
use vosim_protocol::{ErrorCode, ErrorObject, SessionId};

use crate::daemon::Daemon;
use crate::problems;

const SAY_WHAT: &str = "say what is to be built, and how one sees that it works";

/// Words that say of nothing what it is (002 7.1: "make something cool").
const EMPTY_WORDS: &str = "\
    a amazing an and any anything app application awesome best better build can code cool create \
    do fancy for fun give good great i in interesting is it js just like make me my new nice \
    node of or please program project python really script simple small software some something \
    stuff that the thing things this to useful very want with work working works write you";

const PRICE_IT: &str =
    "set prompt_price_micros and completion_price_micros of [model], or cap the tokens";

const SET_A_SERVER: &str = "set [model] kind = \"openai\", address and name in the settings";

pub(super) async fn spec(
    daemon: &Daemon,
    id: SessionId,
    start: Start,
) -> Result<Spec, ErrorObject> {
    let Start { task, problem, sitting, language, model, fallback, workspace, caps, run } = start;
    let (mut task, length) = (task.trim().to_owned(), task.trim().chars().count());
    let mut exam = None;
    if let Some(problem) = problem {
        let (text, sat) = exam_of(daemon, &problem, (id, sitting), language).await?;
        task = text;
        exam = Some(sat);
    } else if !TASK_CHARS.contains(&length) {
        let message = format!("a task has 10 to 500 characters; this has {length}");
        return Err(refused(message, SAY_WHAT));
    } else if says_nothing(&task) {
        return Err(refused("the task does not say what is to be built", SAY_WHAT));
    }
    if caps.wall_secs == Some(0) {
        return Err(refused("a task needs some time", "give it a minute at least"));
    }
    if let Some(fault) = run.fault() {
        return Err(refused(fault, "name less, or more"));
    }
    if let Some(folder) = &workspace {
        opens(daemon, folder.clone()).await?;
    }
    let repairs = match (&exam, &workspace) {
        (Some(_), _) => Ok(()),
        (None, None) => Err("repair needs a folder with a program and its tests"),
        (None, Some(folder)) => repairable(daemon, folder.clone(), language.into()).await,
    };
    let repairs = Repairs { can: repairs, by_itself: exam.is_none() };
    let (model, fallback) = models(daemon, model, fallback, repairs)?;
    let price = price(daemon, &model);
    if caps.cost_micros.is_some() && price.is_none() {
        let message = format!("nobody knows what {model} costs, so no cap of money would hold");
        return Err(refused(message, PRICE_IT));
    }
    let own_workspace = workspace.is_none();
    let made = || daemon.workspace_of(id).display().to_string();
    let settings = &daemon.config.task;
    Ok(Spec {
        task,
        language,
        price,
        model,
        fallback,
        workspace: workspace.unwrap_or_else(made),
        own_workspace,
        exam,
        rounds: Rounds::of(settings.iterations),
        caps: budget::changed(settings.caps, caps),
        day: settings.day,
        run: settings.run.changed(run),
    })
}

/// Whether a task is of words alone that say nothing.
fn says_nothing(task: &str) -> bool {
    let words =
        task.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).all(|word| EMPTY_WORDS.split(' ').any(|empty| empty == word))
}

fn refused(message: impl Into<String>, how: &str) -> ErrorObject {
    let next = vec![Next::edit(how)];
    ErrorObject { next, ..ErrorObject::new(ErrorCode::InvalidInput, message) }
}

/// Whether `repair` has what it needs, and whether it is taken where nobody is named.
#[derive(Clone, Copy)]
struct Repairs {
    can: Result<(), &'static str>,
    by_itself: bool,
}

/// Who proposes, and who does where that one is stuck or cannot be reached. A script and a recording run by
/// name alone; where no server is set, a program with its tests can still be repaired (DECISIONS 50).
fn models(
    daemon: &Daemon,
    model: Option<ModelName>,
    fallback: Option<ModelName>,
    repairs: Repairs,
) -> Result<(ModelName, Option<ModelName>), ErrorObject> {
    let server = daemon.configured.name();
    let configured =
        server.map(|name| ModelName { sort: ModelSort::Openai, name: name.to_owned() });
    let offline = (repairs.by_itself && repairs.can.is_ok())
        .then(|| ModelName { sort: ModelSort::Repair, name: String::new() });
    let Some(model) = model.or(configured).or(offline) else {
        let how = format!("{SET_A_SERVER}, or name a model");
        return Err(refused("no model is set that could propose anything", &how));
    };
    let can = |model: &ModelName| match model.sort {
        ModelSort::Script | ModelSort::Replay => Ok(()),
        ModelSort::Repair => repairs
            .can
            .map_err(|why| refused(why, "name the folder with --workspace, or another model")),
        ModelSort::Openai if server.is_some() => Ok(()),
        ModelSort::Openai => Err(refused("no server is set that could be asked", SET_A_SERVER)),
    };
    can(&model)?;
    let fallback = match fallback {
        Some(named) => {
            can(&named)?;
            Some(named)
        }
        // The settings name it for all tasks, and not each of them can do with it.
        None => daemon.config.task.fallback.clone().filter(|other| can(other).is_ok()),
    };
    let fallback = fallback.filter(|other| *other != model);
    Ok((model, fallback))
}

/// What runs here costs nothing; what a server takes is known only where somebody has said so, and then of
/// the model of the settings.
fn price(daemon: &Daemon, model: &ModelName) -> Option<Price> {
    match model.sort {
        ModelSort::Script | ModelSort::Replay | ModelSort::Repair => {
            Some(Price { prompt_micros: 0, completion_micros: 0 })
        }
        ModelSort::Openai => daemon.configured.price(&model.name),
    }
}

/// A folder of somebody's own is there before anything begins.
async fn opens(daemon: &Daemon, folder: String) -> Result<(), ErrorObject> {
    let opened = daemon.blocking(move |_| Workspace::open(Path::new(&folder)).map(drop)).await;
    opened.map_err(|refusal| refused(refusal.to_string(), "name a folder that is there"))
}

/// Whether a folder holds what `repair` needs.
async fn repairable(
    daemon: &Daemon,
    folder: String,
    language: TestLanguage,
) -> Result<(), &'static str> {
    let files = daemon.blocking(move |_| {
        let workspace = Workspace::open(Path::new(&folder)).ok()?;
        let names = workspace.files().into_iter().map(|name| name.to_string());
        Some(names.filter(|name| language.has_file(name)).collect::<Vec<_>>())
    });
    let files = files.await.ok_or("the folder cannot be opened")?;
    let (tests, programs): (Vec<_>, Vec<_>) =
        files.iter().partition(|name| is_test_file(language, name));
    match (programs.is_empty(), tests.is_empty(), language) {
        (false, false, _) => Ok(()),
        (true, _, TestLanguage::Python) => {
            Err("repair needs a program in Python to start from, and the folder has none")
        }
        (true, _, TestLanguage::Javascript) => {
            Err("repair needs a program in JavaScript to start from, and the folder has none")
        }
        (false, true, TestLanguage::Python) => {
            Err("repair needs tests of pytest, and the folder has none")
        }
        (false, true, TestLanguage::Javascript) => {
            Err("repair needs tests of node:test, and the folder has none")
        }
    }
}

/// What a candidate is told of a problem, and the session that the agent sits.
async fn exam_of(
    daemon: &Daemon,
    problem: &str,
    (task, sitting): (SessionId, Sitting),
    language: TaskLanguage,
) -> Result<(String, Exam), ErrorObject> {
    let package = problems::proved(daemon, problem).await?;
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
            "{title}\n\nYou are the candidate in an interview about it. Begin it with the tool `session`, \
             whose answers tell what the interviewer says; answer in plain words. The solution belongs \
             into {file}, which holds the starter; the command `submit` has hidden cases judge it. \
             Finish each section with `done`, and go on until the interview is over."
        ),
    };
    let (session, problem) = (Exam::session_of(task), problem.id.to_string());
    let (file, starter) = (file.to_owned(), starter.clone());
    Ok((told, Exam { session, sitting, problem, file, language, starter }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_of_empty_words_says_nothing() {
        for task in
            ["make something cool", "Please write a nice program!", "?!...........", "code it"]
        {
            assert!(says_nothing(task), "{task}");
        }
        let told =
            ["Make the tests pass", "Write add and double", "make a game", "Baue etwas", "f(x)"];
        assert!(!told.iter().any(|task| says_nothing(task)));
        assert!(EMPTY_WORDS.split(' ').is_sorted(), "and none of them is empty");
    }
}
