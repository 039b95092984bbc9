//! Figures and how they are shown.

use std::fmt;
use std::time::{Duration, Instant};

/// Shows each figure as soon as it is there: a run takes minutes.
#[derive(Debug)]
pub(crate) struct Table {
    /// Everything is done once or twice, to see that it can be; its figures say nothing.
    tried: bool,
}

/// What a figure must be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bar {
    AtMost(f64, &'static str),
    AtLeast(f64, &'static str),
    /// Nothing: it is told for comparison.
    Told,
}

impl Bar {
    fn met(self, value: f64) -> &'static str {
        let met = match self {
            Self::AtMost(bar, _) => value <= bar,
            Self::AtLeast(bar, _) => value >= bar,
            Self::Told => return "",
        };
        if met { "met" } else { "NOT MET" }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(bar, unit) => write!(f, "at most {bar}{unit}"),
            Self::AtLeast(bar, unit) => write!(f, "at least {bar}{unit}"),
            Self::Told => Ok(()),
        }
    }
}

impl Table {
    /// Begins a run; one that is only tried shows that everything can still be measured.
    pub(crate) fn begin(tried: bool) -> Self {
        let table = Self { tried };
        table.show(["figure", "value", "", "bar", "medians (least)"]);
        table
    }

    /// How many turns there are.
    pub(crate) fn turns(&self, full: usize) -> usize {
        if self.tried { 2 } else { full }
    }

    /// How many there are of something, a few at a time.
    pub(crate) fn numbers<const N: usize>(&self, full: [usize; N]) -> [usize; N] {
        let few = |at: usize| if self.tried { at + 2 } else { full[at] };
        std::array::from_fn(few)
    }

    /// How long something is done.
    pub(crate) fn lasting(&self, full: Duration) -> Duration {
        if self.tried { Duration::from_millis(100) } else { full }
    }

    /// A figure on its own.
    pub(crate) fn figure(&self, name: &str, value: f64, unit: &str, bar: Bar) {
        self.row(name, &format!("{value:.1}{unit}"), "", value, bar);
    }

    /// A ratio of two series that were taken turn by turn; the medians are compared.
    pub(crate) fn ratio(&self, name: &str, ours: &Series, other: &Series, bar: Bar) {
        let value = ours.median().as_secs_f64() / other.median().as_secs_f64();
        self.row(name, &format!("{value:.2}"), &format!("{ours} against {other}"), value, bar);
    }

    /// What so many percent of a series stay below, in milliseconds.
    pub(crate) fn quantile(&self, name: &str, series: &Series, percent: usize, bar: Bar) {
        let value = series.quantile(percent).as_secs_f64() * 1e3;
        let of =
            format!("of {}, at most {:.2} ms", series.len(), series.most().as_secs_f64() * 1e3);
        self.row(name, &format!("{value:.2} ms"), &of, value, bar);
    }

    /// Something that could not be measured.
    pub(crate) fn skipped(&self, name: &str, why: &str) {
        self.show([name, "-", "skipped", "", why]);
    }

    /// What is no figure.
    pub(crate) fn told(&self, name: &str, shown: &str, about: &str) {
        self.show([name, shown, "", "", about]);
    }

    fn row(&self, name: &str, shown: &str, series: &str, value: f64, bar: Bar) {
        self.show([name, shown, bar.met(value), &bar.to_string(), series]);
    }

    fn show(&self, [name, shown, met, bar, series]: [&str; 5]) {
        let row = format!("{name:<72} {shown:>13}  {met:<7}  {bar:<16}  {series}");
        println!("{}", row.trim_end());
    }
}

/// Durations of one thing.
#[derive(Debug)]
pub(crate) struct Series {
    name: String,
    taken: Vec<Duration>,
}

impl Series {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), taken: Vec::new() }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Takes the time of something.
    pub(crate) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let result = work();
        self.taken.push(begin.elapsed());
        result
    }

    /// Adds a time that was taken elsewhere.
    pub(crate) fn take(&mut self, time: Duration) {
        self.taken.push(time);
    }

    pub(crate) fn len(&self) -> usize {
        self.taken.len()
    }

    pub(crate) fn median(&self) -> Duration {
        self.quantile(50)
    }

    /// What so many percent stay below.
    pub(crate) fn quantile(&self, percent: usize) -> Duration {
        let mut sorted = self.taken.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(place).copied().unwrap_or_default()
    }

    pub(crate) fn least(&self) -> Duration {
        self.taken.iter().min().copied().unwrap_or_default()
    }

    pub(crate) fn most(&self) -> Duration {
        self.taken.iter().max().copied().unwrap_or_default()
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        write!(f, "{} {:.2} ms ({:.2})", self.name, ms(self.median()), ms(self.least()))
    }
}
