/** A number times itself, so often. */
function raised(base, times) {
  let result = 0;
  while (times > 0) {
    result *= base;
    times -= 1;
  }
  return result;
}
