//! Counts what was run and what came out otherwise, and prints it. The numbers must add up: a
//! program that was neither as expected nor named as different would have been lost.

use vosim_sandbox_spec::Level;

/// Begins each line that tells of the count, so that it is found among others.
pub(crate) const MARK: &str = "hostile: ";

/// The count of one test.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    lines: Vec<String>,
    faults: Vec<String>,
    programs: usize,
    ran: usize,
    differing: usize,
    heading: String,
    controls: usize,
    unavailable: Vec<String>,
    uncontrolled: Vec<String>,
}

impl Tally {
    pub(crate) fn begin(level: Level, at_once: usize, programs: usize) -> Self {
        let heading = format!("level {level:?}, {at_once} at once");
        Self { heading, programs, ..Self::default() }
    }

    pub(crate) fn begin_outside(programs: usize) -> Self {
        Self { heading: "outside".to_owned(), programs, ..Self::default() }
    }

    /// One program was run.
    pub(crate) fn count(&mut self, name: String, differences: Vec<String>) {
        self.ran += 1;
        self.differing += usize::from(!differences.is_empty());
        self.faults.extend(differences.into_iter().map(|why| format!("  {name}: {why}")));
    }

    /// Something is there that was not before.
    pub(crate) fn left(&mut self, found: Vec<String>) {
        self.faults.extend(found.into_iter().map(|what| format!("  left behind: {what}")));
    }

    pub(crate) fn controlled(&mut self) {
        self.controls += 1;
    }

    /// The machine has no such thing, inside or outside.
    pub(crate) fn unavailable(&mut self, row: &str, name: &str, word: &str) {
        self.unavailable.push(format!("{row} {name} ({word})"));
    }

    pub(crate) fn uncontrolled(&mut self, row: &str, reason: &str) {
        self.ran += 1;
        self.uncontrolled.push(format!("{row} ({reason})"));
    }

    /// Another count of the same test.
    pub(crate) fn extend(&mut self, mut other: Self) {
        self.finish();
        other.finish();
        self.lines.append(&mut other.lines);
        self.faults.append(&mut other.faults);
    }

    fn finish(&mut self) {
        if self.heading.is_empty() {
            return;
        }
        let heading = std::mem::take(&mut self.heading);
        let (programs, ran, differing) = (self.programs, self.ran, self.differing);
        let same = ran - differing;
        self.lines.push(format!(
            "{heading}: {programs} programs, {ran} ran, {same} as expected, {differing} differing"
        ));
        if programs != ran {
            self.faults.push(format!("{} programs were lost", programs - ran));
        }
        if self.controls > 0 {
            let absent = &self.unavailable;
            let line =
                format!("{} controls work, {} are not available here", self.controls, absent.len());
            self.lines.push(line);
            self.lines.extend(absent.iter().map(|what| format!("  not available: {what}")));
            let without = self.uncontrolled.iter().map(|what| format!("  no control: {what}"));
            self.lines.extend(without);
        }
    }

    /// Prints the table and fails where anything was otherwise.
    pub(crate) fn close(mut self) {
        self.finish();
        println!();
        for line in self.lines.iter().chain(&self.faults) {
            println!("{MARK}{line}");
        }
        assert!(self.faults.is_empty(), "{} faults, listed above", self.faults.len());
    }
}
