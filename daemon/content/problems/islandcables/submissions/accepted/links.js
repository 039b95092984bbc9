"use strict";

/** Links lead from each lighthouse to the root of its group, which knows size and speaker. */
class Coast {
  constructor(count) {
    this.count = count;
    this.left = count;
    this.link = Array.from({ length: count + 1 }, (_, number) => number);
    this.smallest = [...this.link];
    this.sizes = this.link.map((number) => (number ? 1 : 0));
  }

  lay(one, other) {
    let [high, low] = [this.root(one), this.root(other)];
    if (!high || !low || high === low) return false;
    if (this.sizes[high] < this.sizes[low]) [high, low] = [low, high];
    this.link[low] = high;
    this.sizes[high] += this.sizes[low];
    this.smallest[high] = Math.min(this.smallest[high], this.smallest[low]);
    this.left -= 1;
    return true;
  }

  can_talk(one, other) {
    const root = this.root(one);
    return root !== 0 && root === this.root(other);
  }

  size(one) {
    return this.sizes[this.root(one)];
  }

  groups() {
    return this.left;
  }

  speaker(one) {
    return this.smallest[this.root(one)];
  }

  /** The root of a group, or 0 for a number that is no lighthouse. */
  root(number) {
    if (number < 1 || number > this.count) return 0;
    while (this.link[number] !== number) {
      // Each one on the way skips a step for the next time.
      this.link[number] = this.link[this.link[number]];
      number = this.link[number];
    }
    return number;
  }
}

module.exports = { Coast };
