//! The time per operation at growing sizes: the figures, and no more than they say.

use vosim_protocol::v1::evaluation::Growth;

use vosim_protocol::v1::drill::GrowthMeasured;

use crate::render::look::{Icon, Look, Tone};
use crate::render::page::Page;
use crate::render::text::thousands;

/// `size` is what the problem calls the size, for example `capacity`.
pub(crate) fn growth(measured: &GrowthMeasured, size: &str, look: &Look) -> String {
    let mut page = Page::new(look);
    let lead = look.icon(Icon::Measure);
    page.hanging(
        lead,
        if lead.is_empty() { "" } else { "   " },
        Tone::Plain,
        &sentence(measured, size),
    );
    page.finish()
}

pub(crate) fn sentence(measured: &GrowthMeasured, size: &str) -> String {
    if measured.points.is_empty() {
        let reason = measured.reason.as_deref().unwrap_or("no figures came back");
        return format!("The time per operation could not be measured: {reason}");
    }
    let figures: Vec<_> = measured
        .points
        .iter()
        .enumerate()
        .map(|(i, point)| {
            let noun = if i == 0 { format!("{size} ") } else { String::new() };
            format!("{} at {noun}{}", time(point.nanos), thousands(point.size))
        })
        .collect();
    let verdict = match measured.growth {
        Growth::Constant => "constant".to_owned(),
        Growth::Linear => format!("grows with {size}, looks O(n)"),
        Growth::Unclear => "no clear trend".to_owned(),
    };
    format!("Measured time per operation: {}: {verdict}.", figures.join(", "))
}

/// `850 ns`, `1.25 µs`, `3.40 ms`.
fn time(nanos: u64) -> String {
    let scaled = |unit: u64, name: &str| {
        let hundredths = (nanos % unit) * 100 / unit;
        format!("{}.{hundredths:02} {name}", nanos / unit)
    };
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => scaled(1_000, "µs"),
        _ => scaled(1_000_000, "ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn growth_is_told_with_its_figures() {
        let all = [
            growth(&samples::growth(Growth::Constant), "capacity", &Look::PLAIN),
            growth(&samples::growth(Growth::Linear), "capacity", &Look::PLAIN),
            growth(&samples::growth(Growth::Unclear), "capacity", &Look::PLAIN),
            growth(&samples::not_measured(), "capacity", &Look::PLAIN),
        ];
        insta::assert_snapshot!(all.concat(), @r#"
        📈 Measured time per operation: 310 ns at capacity 1,000, 305 ns at 4,000, 322
           ns at 16,000: constant.
        📈 Measured time per operation: 1.90 µs at capacity 1,000, 7.60 µs at 4,000,
           31.00 µs at 16,000: grows with capacity, looks O(n).
        📈 Measured time per operation: 300 ns at capacity 1,000, 900 ns at 4,000, 400
           ns at 16,000: no clear trend.
        📈 The time per operation could not be measured: the probe ran out of time
        "#);
        assert_eq!([time(850), time(1_250), time(3_400_000)], ["850 ns", "1.25 µs", "3.40 ms"]);
    }
}
