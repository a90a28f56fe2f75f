import type { Position, Publication } from './channel.ts';
import { Channel } from './channel.ts';

const SWEEP_MS = 60_000;

/** Who reads: gets a frame that is ready to be written. */
export interface Reader {
  write(frame: Buffer): void;
}

/** What a reader is told when it joins. */
export interface Joined extends Position {
  recoverable: true;
  positioned: true;
  /** Only for one who came back: whether everything missed is here. */
  was_recovering?: true;
  recovered?: boolean;
  publications?: Publication[];
}

/** The channels of this process: who reads them, and what was published lately. */
export class Hub {
  readonly #channels = new Map<string, Channel<Reader>>();
  readonly #frameOf: (text: string) => Buffer;
  readonly #sweep: NodeJS.Timeout;

  /** `frameOf` makes a text into what goes onto the wire. */
  constructor(frameOf: (text: string) => Buffer) {
    this.#frameOf = frameOf;
    this.#sweep = setInterval(() => this.#forget(), SWEEP_MS).unref();
  }

  /** Sends to everyone who reads the channel and, if `kept`, later to those who are away for a moment. Framed once. */
  publish(name: string, data: unknown, kept = true): void {
    const channel = this.#channels.get(name);
    // Without readers, now or lately, nobody has a position that this could follow.
    if (!channel) return;
    const pub = kept ? channel.add(data, Date.now()) : { data };
    if (channel.readers.size === 0) return;
    const frame = this.#frameOf(JSON.stringify({ push: { channel: name, pub } }));
    for (const reader of channel.readers) reader.write(frame);
  }

  /** Adds a reader; with the position where it was cut off, what it missed comes along. */
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

  /** Whether anyone reads the channel now. */
  isRead(name: string): boolean {
    return (this.#channels.get(name)?.readers.size ?? 0) > 0;
  }

  /** Begins every channel's count anew: whoever comes back is told that they may have missed something. */
  forgetPositions(): void {
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

  #forget(): void {
    const nowMs = Date.now();
    for (const [name, channel] of this.#channels) if (channel.isOver(nowMs)) this.#channels.delete(name);
  }
}
