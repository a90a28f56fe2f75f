const BLOCK_BITS = 14;
const BLOCK_WORDS = 2 ** BLOCK_BITS;

/** A column of numbers of 32 bits outside of the heap. Its memory is allocated in blocks of 64 KiB, once one of their places is written. */
export class WordColumn {
  readonly #blocks: Uint32Array[] = [];

  get(at: number): number {
    return this.#blocks[at >>> BLOCK_BITS]![at & (BLOCK_WORDS - 1)]!;
  }

  set(at: number, word: number): void {
    const block = at >>> BLOCK_BITS;
    while (block >= this.#blocks.length) this.#blocks.push(new Uint32Array(BLOCK_WORDS));
    this.#blocks[block]![at & (BLOCK_WORDS - 1)] = word;
  }
}

/** Places of columns that are in use or free; a free one is used again. */
export class Places {
  readonly #next: WordColumn;
  #free = -1;
  #used = 0;
  size = 0;

  /** Places that were ever in use. */
  get used(): number {
    return this.#used;
  }

  /** `next` links free places; a place in use may have any value in it. */
  constructor(next: WordColumn) {
    this.#next = next;
  }

  take(): number {
    this.size += 1;
    if (this.#free < 0) return this.#used++;
    const place = this.#free;
    const next = this.#next.get(place);
    this.#free = next === LAST ? -1 : next;
    return place;
  }

  release(place: number): void {
    this.#next.set(place, this.#free < 0 ? LAST : this.#free);
    this.#free = place;
    this.size -= 1;
  }
}

const LAST = 0xffff_ffff;
