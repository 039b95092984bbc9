//! What an agent may use up, per task and per day: hard caps on tokens, calls, money and time.
//!
//! A call that would cross a cap is not made. What has no known price has no known cost, which is never
//! taken for nothing: it is counted apart, and the other caps hold all the same.

use vosim_protocol::v1::agent::{Cap, Caps, Crossing, Per, Price, Spent, Usage};

/// Tokens that a call takes at most, as it is thought beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// In.
    pub prompt: u64,
    /// Out.
    pub completion: u64,
}

impl Estimate {
    /// Both together.
    pub fn tokens(self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }
}

/// What so many tokens cost, rounded up.
pub fn cost_micros(price: Price, prompt: u64, completion: u64) -> u64 {
    let of = |tokens: u64, micros: u64| u128::from(tokens) * u128::from(micros);
    let sum =
        of(prompt, price.prompt_micros).saturating_add(of(completion, price.completion_micros));
    u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

/// What has been used up after one more exchange.
#[must_use]
pub fn after(spent: Spent, usage: Usage, price: Option<Price>) -> Spent {
    let cost = price.map(|price| cost_micros(price, usage.prompt, usage.completion));
    Spent {
        prompt: spent.prompt.saturating_add(usage.prompt),
        completion: spent.completion.saturating_add(usage.completion),
        calls: spent.calls.saturating_add(1),
        cost_micros: spent.cost_micros.saturating_add(cost.unwrap_or(0)),
        unpriced: spent.unpriced + u64::from(cost.is_none()),
        wall_ms: spent.wall_ms,
    }
}

/// The first cap that a call would cross, given what has been used up.
pub fn crossing(
    per: Per,
    caps: &Caps,
    spent: &Spent,
    estimate: Estimate,
    price: Option<Price>,
) -> Option<Crossing> {
    let tokens = spent.prompt.saturating_add(spent.completion);
    let cost = price.map(|price| cost_micros(price, estimate.prompt, estimate.completion));
    let would_cost = cost.map(|cost| spent.cost_micros.saturating_add(cost));
    let rows = [
        (Cap::Calls, caps.calls, spent.calls, Some(spent.calls.saturating_add(1))),
        (Cap::Tokens, caps.tokens, tokens, Some(tokens.saturating_add(estimate.tokens()))),
        (Cap::Cost, caps.cost_micros, spent.cost_micros, would_cost),
    ];
    let crossed = rows.into_iter().find_map(|(cap, limit, spent, would)| {
        let (limit, would) = (limit?, would?);
        (would > limit).then_some(Crossing { cap, per, limit, spent, would })
    });
    let limit = caps.wall_secs.map(|secs| secs.saturating_mul(1_000));
    let out_of_time = limit.filter(|limit| spent.wall_ms >= *limit).map(|limit| {
        let spent = spent.wall_ms;
        Crossing { cap: Cap::Wall, per, limit, spent, would: spent }
    });
    crossed.or(out_of_time)
}

/// Caps with some of them changed.
#[must_use]
pub fn changed(caps: Caps, by: Caps) -> Caps {
    Caps {
        tokens: by.tokens.or(caps.tokens),
        calls: by.calls.or(caps.calls),
        cost_micros: by.cost_micros.or(caps.cost_micros),
        wall_secs: by.wall_secs.or(caps.wall_secs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: Estimate = Estimate { prompt: 600, completion: 400 };
    /// A dollar and two for a million.
    const PRICE: Price = Price { prompt_micros: 1_000_000, completion_micros: 2_000_000 };

    fn spent() -> Spent {
        Spent {
            prompt: 6_000,
            completion: 3_000,
            calls: 9,
            cost_micros: 12_000,
            ..Spent::default()
        }
    }

    fn crossed(caps: Caps, price: Option<Price>) -> Option<(Cap, u64)> {
        crossing(Per::Task, &caps, &spent(), CALL, price).map(|found| (found.cap, found.would))
    }

    #[test]
    fn a_call_that_would_cross_a_cap_is_told_with_what_would_have_been_spent() {
        let caps = Caps::default();
        assert_eq!(crossed(caps, Some(PRICE)), None, "no cap holds");
        assert_eq!(crossed(Caps { tokens: Some(10_000), ..caps }, None), None, "it just fits");
        let tokens = Caps { tokens: Some(9_999), ..caps };
        assert_eq!(crossed(tokens, None), Some((Cap::Tokens, 10_000)));
        assert_eq!(crossed(Caps { calls: Some(9), ..caps }, None), Some((Cap::Calls, 10)));
        let cost = Caps { cost_micros: Some(13_399), ..caps };
        assert_eq!(crossed(cost, Some(PRICE)), Some((Cap::Cost, 13_400)));
    }

    #[test]
    fn an_unknown_price_is_an_unknown_cost_and_the_other_caps_hold() {
        let usage = Usage { prompt: 10, completion: 5, estimated: false };
        let after = after(spent(), usage, None);
        assert_eq!((after.cost_micros, after.unpriced, after.calls), (12_000, 1, 10));
        let cost = Caps { cost_micros: Some(1), ..Caps::default() };
        assert_eq!(crossed(cost, None), None, "nobody can say that it would cross");
        let tokens = Caps { tokens: Some(1), ..cost };
        assert_eq!(crossed(tokens, None), Some((Cap::Tokens, 10_000)));
    }

    #[test]
    fn time_at_work_that_is_used_up_lets_no_call_through() {
        let caps = Caps { wall_secs: Some(60), ..Caps::default() };
        let at = |wall_ms| {
            crossing(Per::Task, &caps, &Spent { wall_ms, ..spent() }, CALL, None).map(|c| c.cap)
        };
        assert_eq!((at(59_999), at(60_000)), (None, Some(Cap::Wall)));
    }

    #[test]
    fn a_cost_is_rounded_up_and_never_overflows() {
        assert_eq!(cost_micros(PRICE, 1, 0), 1);
        assert_eq!(cost_micros(Price { prompt_micros: 1, completion_micros: 0 }, 1, 0), 1);
        let dear = Price { prompt_micros: u64::MAX, completion_micros: u64::MAX };
        assert_eq!(cost_micros(dear, u64::MAX, u64::MAX), u64::MAX);
    }

    #[test]
    fn caps_change_one_by_one() {
        let caps = Caps { tokens: Some(5), calls: Some(6), ..Caps::default() };
        let more = changed(caps, Caps { calls: Some(7), ..Caps::default() });
        assert_eq!(more, Caps { calls: Some(7), ..caps });
    }
}
