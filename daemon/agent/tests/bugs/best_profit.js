/** The most that buying once and selling later brings. */
function best_profit(prices) {
  let lowest = Infinity;
  let best = 0;
  for (const price of prices) {
    lowest = Math.min(lowest, price);
    best = price - lowest;
  }
  return best;
}
