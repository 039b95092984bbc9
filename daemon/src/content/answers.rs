//! Checks the good answers that the end of an interview shows.

use super::interview::standard::standard;
use super::lint::{Finding, words};
use super::package::Package;

/// Most words of a good answer, which is said in about a minute.
const SAMPLE_WORDS_MAX: usize = 120;

/// Checks that the end of the standard interview has a good answer to show for each dimension that was
/// missing, short enough to be read there.
pub fn unanswered(package: &Package) -> Vec<Finding> {
    let discussion = &package.coaching.discussion;
    // Without a discussion nothing is read afterwards at all, which is said elsewhere.
    if discussion.discussion.is_empty() {
        return Vec::new();
    }
    let dimensions = standard().sections.iter().flat_map(|section| &section.dimensions);
    let required = dimensions.filter(|dimension| dimension.required);
    let found = required.filter_map(|dimension| {
        let mut of = discussion.samples.iter().filter(|one| one.dimension == dimension.id);
        let message = match (of.next(), of.next()) {
            (None, _) => "there is no good answer to show".to_owned(),
            (Some(_), Some(_)) => "there are two answers".to_owned(),
            (Some(one), None) => match words(&one.text).count() {
                words if words > SAMPLE_WORDS_MAX => {
                    format!("the answer has {words} words, at most {SAMPLE_WORDS_MAX}")
                }
                _ => return None,
            },
        };
        Some(Finding { place: format!("sample {}", dimension.id), message })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::catalog;

    #[test]
    fn every_shipped_package_answers_each_dimension() {
        for package in catalog().list() {
            let found = unanswered(package);
            assert!(found.is_empty(), "{}: {found:?}", package.problem.id);
        }
    }

    #[test]
    fn a_dimension_without_a_good_answer_that_is_short_is_named() {
        let files = crate::content::embedded::lru_cache();
        let mut package = crate::content::read::package(&files).unwrap();
        let samples = &mut package.coaching.discussion.samples;
        samples.retain(|sample| sample.dimension != "metrics");
        samples[0].text = "word ".repeat(121);
        let twice = samples[1].clone();
        samples.push(twice);
        let found: Vec<_> = unanswered(&package).iter().map(Finding::to_string).collect();
        assert_eq!(
            found,
            [
                "sample requirements: the answer has 121 words, at most 120",
                "sample constraints: there are two answers",
                "sample metrics: there is no good answer to show",
            ]
        );
    }
}
