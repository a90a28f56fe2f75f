import { Channel, type Position, type Publication } from './channel.ts';

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
