/** How old a signature may be when its bid is sent. Its timestamp is that of the signing, which may lie before the bid. */
const AGE_MS_MAX = 120_000;
/** Signatures that are ready at once, of about a kilobyte each, and those of one kind of bid. */
const READY_MAX = 16_384;
const READY_OF_KIND_MAX = 16;
/** Kinds of bids that are known: many are bid for once, and have none ready. */
const KINDS_MAX = 32_768;
/** Signatures that wait to be made. Kinds that were not bid for before get no more than a part of them. */
const QUEUED_MAX = 1024;
const QUEUED_OF_NEW_MAX = 256;

/** One kind of bid. */
interface Kind {
  /** The oldest first. */
  ready: { extension: string; madeMs: number }[];
  /** How many are being made or wait to be. */
  pending: number;
  /** How many to have ready: doubled whenever a bid finds none. */
  target: number;
}

/**
 * Signatures that are made before the bids that use them; each is used once. Bids differ for signing by ad set, publisher's app and
 * version only, so that the text which asks for a signature is the key of its kind. Bounded: what was bid for the longest ago goes first.
 */
export class SignaturePool {
  /** In the order of their last use. */
  readonly #kinds = new Map<string, Kind>();
  #ready = 0;
  #queue: string[] = [];

  /** A signature for a bid of a kind, and asks for another; null if none is ready. */
  take(line: string, nowMs: number): string | null {
    const known = this.#kinds.get(line);
    const kind = known ?? { ready: [], pending: 0, target: 0 };
    if (known) this.#kinds.delete(line);
    this.#kinds.set(line, kind);
    const taken = this.#newest(kind, nowMs);
    if (taken === null) kind.target = Math.min(Math.max(1, 2 * kind.target), READY_OF_KIND_MAX);
    const queuedMax = known ? QUEUED_MAX : QUEUED_OF_NEW_MAX;
    while (kind.ready.length + kind.pending < kind.target && this.#queue.length < queuedMax) {
      this.#queue.push(line);
      kind.pending += 1;
    }
    this.#evict();
    return taken;
  }

  /** At most `max` of the texts to sign, which are being made until {@link add}. */
  next(max: number): string[] {
    return this.#queue.splice(0, max);
  }

  /** A signature that was asked for at `madeMs` or later; null if it could not be made. */
  add(line: string, extension: string | null, madeMs: number): void {
    const kind = this.#kinds.get(line);
    if (!kind) return;
    kind.pending = Math.max(0, kind.pending - 1);
    if (extension === null) return;
    kind.ready.push({ extension, madeMs });
    this.#ready += 1;
  }

  /** Drops everything, as when keys change. */
  clear(): void {
    this.#kinds.clear();
    this.#queue = [];
    this.#ready = 0;
  }

  #newest(kind: Kind, nowMs: number): string | null {
    const newest = kind.ready.pop();
    if (!newest) return null;
    this.#ready -= 1;
    if (nowMs - newest.madeMs <= AGE_MS_MAX) return newest.extension;
    this.#ready -= kind.ready.length;
    kind.ready = [];
    // So few bids need fewer of them ready.
    kind.target = 0;
    return null;
  }

  #evict(): void {
    for (const [line, kind] of this.#kinds) {
      if (this.#ready <= READY_MAX && this.#kinds.size <= KINDS_MAX) return;
      this.#ready -= kind.ready.length;
      this.#kinds.delete(line);
    }
  }
}
