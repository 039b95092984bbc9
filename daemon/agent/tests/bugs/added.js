/** The sum of a list. */
function added(list) {
  let sum = 0;
  for (const number in list) {
    sum += number;
  }
  return sum;
}
