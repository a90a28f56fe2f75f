import { randomBytes } from 'node:crypto';

const SWEEP_MS = 60_000;

/** Subscriber of a channel: receives frames that are ready to be written. */
export interface Reader {
  write(frame: Buffer): void;
}

/** Result of a subscription, as the client protocol sends it. */
export interface Joined extends Position {
  recoverable: true;
  positioned: true;
  /** Only after a reconnect: whether all missed publications are included. */
  was_recovering?: true;
  recovered?: boolean;
  publications?: Publication[];
}

const HISTORY_MAX = 300;

const HISTORY_MS = 5 * 60_000;

/** One channel: its subscribers, and a history for subscribers that reconnect. */
export class Channel<Member> {
  readonly readers = new Set<Member>();
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
  leave(reader: Member, nowMs: number): void {
    if (this.readers.delete(reader)) this.#usedAtMs = nowMs;
  }

  #evict(nowMs: number): void {
    const first = this.#history.findIndex(
      ({ atMs }, index) => index >= this.#history.length - HISTORY_MAX && nowMs - atMs <= HISTORY_MS,
    );
    this.#history = first === -1 ? [] : first === 0 ? this.#history : this.#history.slice(first);
  }
}

/** Channels of this process, with their subscribers and recent publications. */
export class Hub {
  readonly #channels = new Map<string, Channel<Reader>>();
  readonly #frameOf: (text: string) => Buffer;
  readonly #sweep: NodeJS.Timeout;

  /** `frameOf` encodes a text as a websocket frame. */
  constructor(frameOf: (text: string) => Buffer) {
    this.#frameOf = frameOf;
    this.#sweep = setInterval(() => this.#evict(), SWEEP_MS).unref();
  }

  /**
   * Sends to all subscribers of the channel and, if `isStored`, adds to its history for subscribers that reconnect soon.
   * Encoded once for all.
   */
  publish(name: string, data: unknown, isStored = true): void {
    const channel = this.#channels.get(name);
    // A channel without current or recent subscribers has no position to recover from.
    if (!channel) return;
    const pub = isStored ? channel.add(data, Date.now()) : { data };
    if (channel.readers.size === 0) return;
    const frame = this.#frameOf(JSON.stringify({ push: { channel: name, pub } }));
    for (const reader of channel.readers) reader.write(frame);
  }

  /** Adds a subscriber; with the position of its last publication, the result contains the missed ones. */
  join(name: string, reader: Reader, from?: Position): Joined {
    const nowMs = Date.now();
    const channel = this.#channels.get(name) ?? new Channel<Reader>(nowMs);
    this.#channels.set(name, channel);
    channel.readers.add(reader);
    const joined: Joined = { ...channel.position, recoverable: true, positioned: true };
    if (!from) return joined;
    const missed = channel.since(from, nowMs);
    return { ...joined, was_recovering: true, recovered: missed !== null, publications: missed ?? [] };
  }

  /** Whether the channel has a subscriber now. */
  isRead(name: string): boolean {
    return (this.#channels.get(name)?.readers.size ?? 0) > 0;
  }

  /** Starts a new epoch of every channel: subscribers that reconnect learn that they may have missed publications. */
  evictPositions(): void {
    const nowMs = Date.now();
    for (const [name, { readers }] of this.#channels) {
      const channel = new Channel<Reader>(nowMs);
      for (const reader of readers) channel.readers.add(reader);
      this.#channels.set(name, channel);
    }
  }

  leave(name: string, reader: Reader): void {
    this.#channels.get(name)?.leave(reader, Date.now());
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #evict(): void {
    const nowMs = Date.now();
    for (const [name, channel] of this.#channels) if (channel.isOver(nowMs)) this.#channels.delete(name);
  }
}

/** The client protocol's `Publication`. */
interface Publication {
  data: unknown;
  /** Counts the channel's publications from 1, within an epoch. */
  offset: number;
}

/** Position of a subscriber in a channel. */
interface Position {
  /** Changes when the channel's offsets restart: positions of another epoch cannot be recovered. */
  epoch: string;
  offset: number;
}
