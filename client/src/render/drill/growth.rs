//! The time per operation at growing sizes: the figures, and no more than they say.

use vosim_protocol::v1::clauses;
use vosim_protocol::v1::judging::GrowthMeasured;

use crate::render::look::{Icon, Look, Tone};
use crate::render::page::Page;

pub(crate) fn growth(measured: &GrowthMeasured, look: &Look) -> String {
    let mut page = Page::new(look);
    let lead = look.icon(Icon::Measure);
    page.hanging(
        lead,
        if lead.is_empty() { "" } else { "   " },
        Tone::Plain,
        &clauses::growth(measured).text,
    );
    page.finish()
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::evaluation::Growth;

    use super::*;
    use crate::render::samples;

    #[test]
    fn growth_is_told_with_its_figures() {
        let all = [
            growth(&samples::growth(Growth::Constant), &Look::PLAIN),
            growth(&samples::growth(Growth::Linear), &Look::PLAIN),
            growth(&samples::growth(Growth::Unclear), &Look::PLAIN),
            growth(&samples::not_measured(), &Look::PLAIN),
        ];
        insta::assert_snapshot!(all.concat(), @r#"
        📈 Measured time per operation, by capacity: 310 ns at 1,000; 305 ns at 4,000;
           322 ns at 16,000. It stays constant.
        📈 Measured time per operation, by capacity: 1.90 µs at 1,000; 7.60 µs at 4,000;
           31.00 µs at 16,000. It grows with the capacity and looks like O(n).
        📈 Measured time per operation, by capacity: 300 ns at 1,000; 900 ns at 4,000;
           400 ns at 16,000. From that it cannot be told here whether it grows.
        📈 The time per operation could not be measured: the probe ran out of time.
        "#);
    }
}
