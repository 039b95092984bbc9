"use strict";

/** The speaker is that of the lighthouse that was named first. */
class Coast {
  constructor(count) {
    this.left = count;
    this.head = Array.from({ length: count + 1 }, (_, number) => number);
    this.group = new Map();
    for (let number = 1; number <= count; number++) this.group.set(number, new Set([number]));
  }

  lay(one, other) {
    if (!this.group.has(one) || !this.group.has(other)) return false;
    if (this.group.get(one).has(other)) return false;
    const both = new Set([...this.group.get(one), ...this.group.get(other)]);
    const head = this.head[one];
    for (const number of both) this.head[number] = head;
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
    return this.group.has(one) ? this.head[one] : 0;
  }

  of(one) {
    return this.group.get(one) ?? new Set();
  }
}

module.exports = { Coast };
