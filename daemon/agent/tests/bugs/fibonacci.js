/** The number at a place of 0, 1, 1, 2, 3, 5 and so on. */
const fibonacci = (place) => {
  let now = 0;
  let next = 1;
  for (let step = 0; step < place; step++) {
    [now, next] = [next, now + next];
  }
  return next;
};
