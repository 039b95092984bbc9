"use strict";

/** The size is one more than the number of cables of the lighthouse. */
class Coast {
  constructor(count) {
    this.left = count;
    this.cables = Array(count + 1).fill(1);
    this.group = new Map();
    for (let number = 1; number <= count; number++) this.group.set(number, new Set([number]));
  }

  lay(one, other) {
    if (!this.group.has(one) || !this.group.has(other)) return false;
    if (this.group.get(one).has(other)) return false;
    const both = new Set([...this.group.get(one), ...this.group.get(other)]);
    for (const number of both) this.group.set(number, both);
    this.cables[one] += 1;
    this.cables[other] += 1;
    this.left -= 1;
    return true;
  }

  can_talk(one, other) {
    return this.of(one).has(other);
  }

  size(one) {
    return this.group.has(one) ? this.cables[one] : 0;
  }

  groups() {
    return this.left;
  }

  speaker(one) {
    return this.group.has(one) ? Math.min(...this.of(one)) : 0;
  }

  of(one) {
    return this.group.get(one) ?? new Set();
  }
}

module.exports = { Coast };
