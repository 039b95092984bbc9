//! The graded answers, each seen for every dimension of its section.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use serde::Deserialize;
use vosim_engine::parts::coverage;
use vosim_engine::parts::hearing::{
    AskedFor, FIELD, Feature, Names, Reading, Vocabulary, Way, roots,
};
use vosim_engine::parts::text::words;
use vosim_protocol::v1::coverage::Dimension;
use vosim_protocol::v1::interview::Section;
use vosim_protocol::v1::problem::Interface;

/// Voices that are never learned from.
const HELD_VOICES: [&str; 24] = [
    "baker",
    "bullets",
    "chess",
    "chinese",
    "commuter",
    "french",
    "greek",
    "hedger",
    "korean",
    "librarian",
    "musician",
    "nurse",
    "pilot",
    "plainspoken",
    "rambler",
    "retired",
    "sailor",
    "security",
    "slang",
    "staff",
    "startup",
    "tester",
    "theory",
    "typos",
];
/// Problems that are never learned from.
const HELD_PROBLEMS: [&str; 6] =
    ["beacon_ring", "gift_boxes", "moor_walk", "price_board", "rate_gate", "tank_book"];
/// What answers speak of that name nothing of a problem: asked about this one.
pub(crate) const GENERAL: (&str, &str) = ("general", "lru_cache");

/// The section that the fields of an attempt's first step make.
const UNDERSTAND: &str = "understand";
/// A word of at most so many statements is a term of theirs.
const RARE: usize = 2;
/// A word is usual that so many voices use.
const VOICES: usize = 4;

/// One graded answer, as a line of the corpus holds it.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) id: String,
    pub(crate) problem: String,
    pub(crate) section: String,
    pub(crate) dimension: String,
    pub(crate) place: Option<usize>,
    pub(crate) question: String,
    pub(crate) manner: String,
    pub(crate) text: String,
    pub(crate) grades: BTreeMap<String, u8>,
    #[serde(default)]
    pub(crate) disputed: Vec<String>,
}

impl Answer {
    pub(crate) fn voice(&self) -> &str {
        self.id.split('.').next().unwrap_or_default()
    }

    /// Whether its voice or problem is never learned from.
    pub(crate) fn is_held(&self) -> bool {
        self.is_of_held_voice() || self.is_of_held_problem()
    }

    pub(crate) fn is_of_held_voice(&self) -> bool {
        HELD_VOICES.contains(&self.voice())
    }

    fn is_of_held_problem(&self) -> bool {
        HELD_PROBLEMS.contains(&self.problem.as_str())
    }

    pub(crate) fn asked(&self) -> AskedFor<'_> {
        let place = match self.section == UNDERSTAND {
            // A field is asked for by its own title alone.
            true => Some(self.place.map_or(FIELD, |place| place)),
            false => self.place,
        };
        AskedFor {
            about: place.map(|place| (self.dimension.as_str(), place)),
            text: &self.question,
        }
    }
}

/// One answer seen for one dimension.
#[derive(Debug)]
pub(crate) struct Cell {
    /// Its place among the answers.
    pub(crate) answer: usize,
    /// The place of the dimension.
    pub(crate) dimension: usize,
    /// Whether the answer was written for it.
    pub(crate) asked: bool,
    /// How the question stands to the dimension.
    pub(crate) way: Way,
    /// 0, 1 or 2.
    pub(crate) grade: u8,
    pub(crate) features: Vec<Feature>,
}

/// All answers.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) answers: Vec<Answer>,
    pub(crate) dimensions: Vec<String>,
    pub(crate) cells: Vec<Cell>,
    /// The words that statements share, without their endings.
    pub(crate) common: BTreeSet<String>,
    /// The words that are usual in what is learned from.
    pub(crate) known: Vocabulary,
}

#[derive(Deserialize)]
struct Schema {
    sections: Vec<Section>,
}

#[derive(Deserialize)]
struct Fields {
    field: Vec<Dimension>,
}

impl Corpus {
    pub(crate) fn read(corpus: &Path, content: &Path) -> anyhow::Result<Self> {
        let sections = sections(content)?;
        let problems = problems(content)?;
        let common = common(&problems);
        let mut answers: Vec<Answer> = Vec::new();
        for path in sorted(corpus)? {
            for line in read(&path)?.lines() {
                let answer = serde_json::from_str(line);
                answers.push(answer.with_context(|| format!("{}: {line}", path.display()))?);
            }
        }
        let all = sections.values().flatten().filter(|it| !it.questions.is_empty());
        let mut dimensions: Vec<_> = all.map(|it| it.id.clone()).collect();
        dimensions.sort();
        let known = known(&answers);
        let mut cells = Vec::new();
        for (at, answer) in answers.iter().enumerate() {
            let section = sections.get(&answer.section).context("an unknown section")?;
            let problem = if answer.problem == GENERAL.0 { GENERAL.1 } else { &answer.problem };
            let problem = problems.get(problem).with_context(|| format!("no problem {problem}"))?;
            let names = Names::new(&problem.interface, &problem.statement, &common);
            let asked = answer.asked();
            let message = Reading::new(&answer.text, asked, &names, &known);
            let heard = coverage::hear(&answer.text, section, &[&answer.question]);
            for dimension in section.iter().filter(|it| !answer.disputed.contains(&it.id)) {
                let Ok(place) = dimensions.binary_search(&dimension.id) else { continue };
                let groups = heard.signals.get(&dimension.id).cloned().unwrap_or_default();
                let mut features = message.manner(&dimension.id, asked, &groups);
                features
                    .extend(message.phrases(&dimension.id, asked).into_iter().flat_map(|it| it.1));
                cells.push(Cell {
                    answer: at,
                    dimension: place,
                    asked: dimension.id == answer.dimension,
                    way: asked.way(&dimension.id),
                    grade: answer.grades.get(&dimension.id).copied().unwrap_or(0),
                    features,
                });
            }
        }
        Ok(Self { answers, dimensions, cells, common, known })
    }

    /// Whether a cell's voice or problem is never learned from.
    pub(crate) fn is_held(&self, cell: &Cell) -> bool {
        self.answers[cell.answer].is_held()
    }

    /// Whether a cell's voice is never learned from.
    pub(crate) fn is_held_voice(&self, cell: &Cell) -> bool {
        self.answers[cell.answer].is_of_held_voice()
    }

    /// Whether a cell's problem is never learned from.
    pub(crate) fn is_held_problem(&self, cell: &Cell) -> bool {
        self.answers[cell.answer].is_of_held_problem()
    }
}

/// The sections of the standard interview.
pub(crate) fn standard(content: &Path) -> anyhow::Result<Vec<Section>> {
    let schema: Schema = toml::from_str(&read(&content.join("interviews/standard.toml"))?)?;
    Ok(schema.sections)
}

/// The dimensions of each section; those of an attempt's first step are one more section.
fn sections(content: &Path) -> anyhow::Result<BTreeMap<String, Vec<Dimension>>> {
    let fields: Fields = toml::from_str(&read(&content.join("understand.toml"))?)?;
    let sections = standard(content)?.into_iter();
    let sections = sections.map(|section| (section.id, section.dimensions));
    Ok(sections.chain([(UNDERSTAND.to_owned(), fields.field)]).collect())
}

/// What is told of a problem.
pub(crate) struct Problem {
    pub(crate) interface: Interface,
    pub(crate) statement: String,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    interface: Interface,
}

/// The problems of the bank.
pub(crate) fn problems(content: &Path) -> anyhow::Result<BTreeMap<String, Problem>> {
    let mut found = BTreeMap::new();
    for folder in sorted(&content.join("problems"))? {
        let Package { id, interface } =
            toml::from_str(&read(&folder.join(".vosim/interface.toml"))?)?;
        let statement = read(&folder.join("statement/problem.en.md"))?;
        found.insert(id, Problem { interface, statement });
    }
    Ok(found)
}

/// The words of more than a few statements, of those problems that are learned from.
fn common(problems: &BTreeMap<String, Problem>) -> BTreeSet<String> {
    let mut counts = BTreeMap::<String, usize>::new();
    for (_, problem) in problems.iter().filter(|(id, _)| !HELD_PROBLEMS.contains(&id.as_str())) {
        for root in roots(&problem.statement) {
            *counts.entry(root).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count > RARE).map(|(root, _)| root).collect()
}

/// The words that enough voices use among those that are learned from, the most usual first.
fn known(answers: &[Answer]) -> Vocabulary {
    let mut uses = BTreeMap::<String, (usize, BTreeSet<&str>)>::new();
    for answer in answers.iter().filter(|answer| !answer.is_held()) {
        for word in words(&answer.text) {
            let (count, voices) = uses.entry(word).or_default();
            *count += 1;
            voices.insert(answer.voice());
        }
    }
    let plain = |word: &str| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let mut usual: Vec<_> = uses
        .into_iter()
        .filter(|(word, (_, voices))| voices.len() >= VOICES && plain(word))
        .collect();
    usual.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    Vocabulary::new(usual.into_iter().map(|(word, _)| word))
}

fn sorted(folder: &Path) -> anyhow::Result<Vec<std::path::PathBuf>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths = entries.map(|it| Ok(it?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}
