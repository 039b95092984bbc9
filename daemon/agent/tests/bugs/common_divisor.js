/** The largest number that divides both. */
function common_divisor(a, b) {
  if (b === 0) {
    return a;
  }
  return common_divisor(a % b, b);
}
