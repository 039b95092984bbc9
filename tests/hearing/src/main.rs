//! `make hearing`: learns the weights of hearing from graded answers, byte for byte the same each time,
//! and prints how well voices and problems are heard that were not learned from.
//!
//! ```text
//! hearing CORPUS CONTENT WEIGHTS          learn, write the weights, print the table
//! hearing CORPUS CONTENT WEIGHTS --check  the same, and fail where WEIGHTS holds other bytes
//! hearing CORPUS CONTENT --questions DIR   ask graded questions, listen to answers that are none
//! hearing CORPUS CONTENT --interviews     conduct interviews by the weights of this program
//! ```

#![expect(clippy::print_stdout, reason = "the table is what it is run for")]

mod answers;
mod interviews;
mod learn;
mod questions;
mod table;

use std::path::Path;

use anyhow::{Context as _, bail};

use answers::Corpus;

fn main() -> anyhow::Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let (corpus, content, weights, check) =
        match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [corpus, content, "--interviews"] => {
                let read = Corpus::read(Path::new(corpus), Path::new(content))?;
                print!("{}", interviews::conduct(&read, Path::new(content))?);
                return Ok(());
            }
            [corpus, content, "--questions", questions] => {
                let read = Corpus::read(Path::new(corpus), Path::new(content))?;
                let (outcomes, misses) =
                    questions::ask(Path::new(questions), Path::new(content), Some(&read))?;
                print!("{misses}{}", outcomes.table());
                return Ok(());
            }
            [corpus, content, weights] => (corpus, content, weights, false),
            [corpus, content, weights, "--check"] => (corpus, content, weights, true),
            _ => bail!(
                "usage: hearing CORPUS CONTENT (WEIGHTS [--check] | --interviews | --questions DIR)"
            ),
        };
    let corpus = Corpus::read(Path::new(corpus), Path::new(content))?;
    let learned: Vec<_> = corpus.cells.iter().filter(|cell| !corpus.is_held(cell)).collect();
    let model = learn::learn(&corpus, &learned)?;
    print!("{}", table::table(&corpus, &model)?);
    print!("{}", table::strict(&corpus, &model)?);
    print!("{}", table::curve(&corpus, &learned)?);
    let bytes = model.to_bytes();
    if check {
        let kept = std::fs::read(weights).with_context(|| format!("reading {weights}"))?;
        anyhow::ensure!(kept == bytes, "{weights} holds other weights than these answers give");
        return Ok(());
    }
    std::fs::write(weights, bytes).with_context(|| format!("writing {weights}"))
}
