/** A list of numbers and lists, without the inner lists. */
function flat(list) {
  let result = [];
  for (const item of list) {
    if (!Array.isArray(item)) {
      result = result.concat(flat(item));
    } else {
      result.push(item);
    }
  }
  return result;
}
