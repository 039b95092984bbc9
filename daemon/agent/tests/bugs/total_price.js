/** What everything costs together. */
function total_price(prices) {
  let total = 0;
  for (const price of Object.keys(prices)) {
    total += price;
  }
  return total;
}
