/** The number that is nearest to x and between low and high. */
function clamp(x, low, high) {
  return Math.max(low, Math.max(x, high));
}
