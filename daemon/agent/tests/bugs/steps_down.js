/** How often a number is halved until it is 1. */
function steps_down(number) {
  let steps = 0;
  do {
    number = Math.floor(number / 2);
    steps += 1;
  } while (number > 0);
  return steps;
}
