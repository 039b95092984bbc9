"use strict";

/** A number that is no lighthouse counts as one that is alone. */
class Coast {
  constructor(count) {
    this.left = count;
    this.group = new Map();
    for (let number = 1; number <= count; number++) this.group.set(number, new Set([number]));
  }

  lay(one, other) {
    if (!this.group.has(one) || !this.group.has(other)) return false;
    if (this.group.get(one).has(other)) return false;
    const both = new Set([...this.group.get(one), ...this.group.get(other)]);
    for (const number of both) this.group.set(number, both);
    this.left -= 1;
    return true;
  }

  can_talk(one, other) {
    return this.of(one).has(other);
  }

  size(one) {
    return this.of(one).size;
  }

  groups() {
    return this.left;
  }

  speaker(one) {
    return Math.min(...this.of(one));
  }

  of(one) {
    return this.group.get(one) ?? new Set([one]);
  }
}

module.exports = { Coast };
