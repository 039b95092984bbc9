/** The numbers before the first one that is above a limit. */
function up_to(list, limit) {
  const taken = [];
  for (const number of list) {
    if (number > limit) {
      continue;
    }
    taken.push(number);
  }
  return taken;
}
