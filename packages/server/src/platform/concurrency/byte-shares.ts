/** Bytes that wait, of each of many keys; none may have more than its share, so that there is room for the others. */
export class ByteShares {
  readonly #bytesOf = new Map<string, number>();

  /** Adds to the waiting bytes of a key. False, without adding, if that is more than `bytesMax`. */
  add(key: string, bytes: number, bytesMax: number): boolean {
    const after = (this.#bytesOf.get(key) ?? 0) + bytes;
    if (after > bytesMax) return false;
    this.#bytesOf.set(key, after);
    return true;
  }

  /** Whether anything waits of a key. */
  has(key: string): boolean {
    return this.#bytesOf.has(key);
  }

  /** Removes bytes that no longer wait, at most as many as were added. */
  remove(key: string, bytes: number): void {
    const left = (this.#bytesOf.get(key) ?? 0) - bytes;
    if (left > 0) this.#bytesOf.set(key, left);
    else this.#bytesOf.delete(key);
  }

  /** Removes all counts: no work waits any more. */
  clear(): void {
    this.#bytesOf.clear();
  }
}
