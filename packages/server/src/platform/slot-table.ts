const TABLE_MIN = 16;
/** Beyond all slots. */
export const NO_SLOT = 0xffff_ffff;

/** Finds slots by a hash: open addressing with linear probing, at most half full. */
export class SlotTable {
  #slots = new Uint32Array(TABLE_MIN).fill(NO_SLOT);
  #size = 0;

  add(slot: number, hash: number, hashOfSlot: (slot: number) => number): void {
    if (this.#size * 2 >= this.#slots.length) this.#grow(hashOfSlot);
    this.#put(slot, hash);
    this.#size += 1;
  }

  /** The first slot with the hash for which `isIt`; NO_SLOT if there is none. */
  find(hash: number, hashOfSlot: (slot: number) => number, isIt: (slot: number) => boolean): number {
    const mask = this.#slots.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = this.#slots[at]!;
      if (slot === NO_SLOT || (hashOfSlot(slot) === hash && isIt(slot))) return slot;
    }
  }

  /** Removes and returns the first slot with the hash for which `isIt`; NO_SLOT if there is none. */
  take(hash: number, hashOfSlot: (slot: number) => number, isIt: (slot: number) => boolean): number {
    const mask = this.#slots.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = this.#slots[at]!;
      if (slot === NO_SLOT) return NO_SLOT;
      if (hashOfSlot(slot) !== hash || !isIt(slot)) continue;
      this.#close(at, hashOfSlot);
      this.#size -= 1;
      return slot;
    }
  }

  #put(slot: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let at = hash & mask;
    while (this.#slots[at] !== NO_SLOT) at = (at + 1) & mask;
    this.#slots[at] = slot;
  }

  /**
   * Empties a position, and moves the entries that were put behind it because of it (D. Knuth, TAOCP 6.4, algorithm R).
   */
  #close(position: number, hashOfSlot: (slot: number) => number): void {
    const mask = this.#slots.length - 1;
    let hole = position;
    for (let at = (hole + 1) & mask; this.#slots[at] !== NO_SLOT; at = (at + 1) & mask) {
      const home = hashOfSlot(this.#slots[at]!) & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      this.#slots[hole] = this.#slots[at]!;
      hole = at;
    }
    this.#slots[hole] = NO_SLOT;
  }

  #grow(hashOfSlot: (slot: number) => number): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2).fill(NO_SLOT);
    for (const slot of before) if (slot !== NO_SLOT) this.#put(slot, hashOfSlot(slot));
  }
}
