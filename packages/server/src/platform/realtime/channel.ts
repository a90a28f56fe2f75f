import { randomBytes } from 'node:crypto';

/** The client protocol's `Publication`. */
export interface Publication {
  data: unknown;
  /** Counts the channel's publications from 1, within an epoch. */
  offset: number;
}

/** Position of a subscriber in a channel. */
export interface Position {
  /** Changes when the channel's offsets restart: positions of another epoch cannot be recovered. */
  epoch: string;
  offset: number;
}

const HISTORY_MAX = 300;
const HISTORY_MS = 5 * 60_000;

/** One channel: its subscribers, and a history for subscribers that reconnect. */
export class Channel<Reader> {
  readonly readers = new Set<Reader>();
  readonly #epoch = randomBytes(6).toString('base64url');
  #offset = 0;
  #history: { publication: Publication; atMs: number }[] = [];
  #usedAtMs: number;

  constructor(nowMs: number) {
    this.#usedAtMs = nowMs;
  }

  get position(): Position {
    return { epoch: this.#epoch, offset: this.#offset };
  }

  /** Assigns the next offset to a publication and adds it to the history. */
  add(data: unknown, nowMs: number): Publication {
    this.#offset += 1;
    this.#usedAtMs = nowMs;
    const publication = { data, offset: this.#offset };
    this.#history.push({ publication, atMs: nowMs });
    this.#evict(nowMs);
    return publication;
  }

  /** Publications after a position, in order; null when some of them are no longer in the history. */
  since({ epoch, offset }: Position, nowMs: number): Publication[] | null {
    this.#evict(nowMs);
    if (epoch !== this.#epoch || offset > this.#offset) return null;
    const missed = this.#history.filter(({ publication }) => publication.offset > offset);
    return missed.length === this.#offset - offset ? missed.map(({ publication }) => publication) : null;
  }

  /** True when it has no subscribers and no history that one could recover. */
  isOver(nowMs: number): boolean {
    return this.readers.size === 0 && nowMs - this.#usedAtMs > HISTORY_MS;
  }

  /** Removes a subscriber; the channel stays for its return. */
  leave(reader: Reader, nowMs: number): void {
    if (this.readers.delete(reader)) this.#usedAtMs = nowMs;
  }

  #evict(nowMs: number): void {
    const first = this.#history.findIndex(
      ({ atMs }, index) => index >= this.#history.length - HISTORY_MAX && nowMs - atMs <= HISTORY_MS,
    );
    this.#history = first === -1 ? [] : first === 0 ? this.#history : this.#history.slice(first);
  }
}
