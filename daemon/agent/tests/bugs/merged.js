/** Two sorted lists as one. */
function merged(one, other) {
  const result = [];
  let [at, to] = [0, 0];
  while (at < one.length || to < other.length) {
    if (one[at] <= other[to]) {
      result.push(one[at]);
      at++;
    } else {
      result.push(other[to]);
      to++;
    }
  }
  return result.concat(one.slice(at), other.slice(to));
}
