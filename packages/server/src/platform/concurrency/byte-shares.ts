/** Bytes that wait, of each of many keys; none may have more than its share, so that there is room for the others. */
export class ByteShares {
  readonly #bytesMaxEach: number;
  readonly #bytesOf = new Map<string, number>();

  constructor(bytesMaxEach: number) {
    this.#bytesMaxEach = bytesMaxEach;
  }

  /** Adds to what waits of a key. False, and adds nothing, where that is beyond its share. */
  add(key: string, bytes: number): boolean {
    const after = (this.#bytesOf.get(key) ?? 0) + bytes;
    if (after > this.#bytesMaxEach) return false;
    this.#bytesOf.set(key, after);
    return true;
  }

  /** Takes away what waits no more, also of what was never added, as after a restart. */
  remove(key: string, bytes: number): void {
    const left = (this.#bytesOf.get(key) ?? 0) - bytes;
    if (left > 0) this.#bytesOf.set(key, left);
    else this.#bytesOf.delete(key);
  }
}
