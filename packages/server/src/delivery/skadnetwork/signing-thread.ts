import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { workerProgram } from '../../platform/worker-program.ts';
import type { SigningTask } from './impression-extension.ts';
import type { BatchMessage, KeysMessage } from './signing-worker.ts';

/** Why bids were sent without the signatures that they could have. */
export type UnsignedReason = 'busy' | 'late' | 'stopped';

/** Bids that wait for their signatures at once; a core signs about ten thousand a second. */
const WAITING_MAX = 1000;
/** Signatures that are made ahead in one message: a bid that waits for its own comes after them, 5 ms later. */
const AHEAD_MAX = 64;
const RESTART_MS = 1000;
const WORKER_MEGABYTES_MAX = 64;

/** Signatures that are being made ahead. */
interface Ahead {
  number: number;
  lines: string[];
  madeMs: number;
}

/**
 * Signs bids in a thread, most of them ahead of time: a bid takes a signature of its kind that is ready ({@link SignaturePool}). If
 * there is none, it waits for its own; the bids of one turn of the event loop share a message. The thread starts with the first keys.
 * A bid whose signatures are late, or that comes while too many others wait, is sent without them: `unsigned` counts it.
 */
export class SigningThread {
  readonly #log: Logger;
  readonly #unsigned: (reason: UnsignedReason, bids: number) => void;
  readonly #pool = new SignaturePool();
  #ahead: Ahead | null = null;
  #keys: KeysMessage = [];
  #keysJson = '[]';
  #worker: Worker | null = null;
  #starting = false;
  #closed = false;
  #collecting: SigningBatch | null = null;
  readonly #sent = new Map<number, SigningBatch>();
  #lastBatch = 0;
  #waiting = 0;

  constructor(log: Logger, unsigned: (reason: UnsignedReason, bids: number) => void) {
    this.#log = log;
    this.#unsigned = unsigned;
  }

  /** Sets the networks that are signed for. */
  setKeys(keys: KeysMessage): void {
    const json = JSON.stringify(keys);
    if (json === this.#keysJson) return;
    this.#keys = keys;
    this.#keysJson = json;
    this.#dropAhead();
    if (this.#worker) this.#worker.postMessage(keys);
    else if (keys.length > 0) void this.#start();
  }

  /**
   * Signs the bids of one response; `signed` is called once: at once where signatures are ready or cannot be had, as without a wait
   * (`waitMs` 0), else within `waitMs` or with the next turn of the event loop after that.
   */
  sign(tasks: readonly SigningTask[], waitMs: number, signed: Signed): void {
    const nowMs = Date.now();
    const lines = tasks.map(lineOf);
    const ready = lines.map((line) => (this.#worker ? this.#pool.take(line, nowMs) : null));
    this.#makeAhead();
    const missing = lines.filter((_line, index) => ready[index] === null);
    if (missing.length === 0) return signed(ready);
    const reason = this.#reasonNotToWait(missing.length, waitMs);
    if (reason) {
      this.#unsigned(reason, missing.length);
      return signed(ready);
    }
    if (!this.#collecting) {
      this.#collecting = new SigningBatch(nowMs);
      queueMicrotask(() => this.#send());
    }
    this.#collecting.add(missing, waitMs, (own) => {
      let at = 0;
      signed(ready.map((one) => one ?? own[at++]!));
    });
    this.#waiting += missing.length;
  }

  #reasonNotToWait(bids: number, waitMs: number): UnsignedReason | null {
    if (!this.#worker) return 'stopped';
    if (waitMs <= 0) return 'late';
    return this.#waiting + bids > WAITING_MAX ? 'busy' : null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #send(): void {
    const batch = this.#collecting!;
    this.#collecting = null;
    this.#lastBatch += 1;
    const number = this.#lastBatch;
    this.#sent.set(number, batch);
    if (!this.#worker) return this.#giveUp(number, 'stopped', Infinity);
    this.#wait(number, batch);
    const { lines, untilMs } = batch;
    this.#worker.postMessage({ batch: number, tasks: lines.join('\n'), untilMs } satisfies BatchMessage);
  }

  /** Gives up the bids whose time is over; a response that has already arrived by then is received before. */
  #wait(number: number, batch: SigningBatch): void {
    batch.timer = setTimeout(
      () => setImmediate(() => this.#giveUp(number, 'late', Date.now())),
      batch.nextMs - Date.now(),
    );
  }

  #receive({ batch: number, tasks }: BatchMessage): void {
    const lines = tasks.split('\n').map((line) => (line === '' ? null : line));
    if (number === this.#ahead?.number) return this.#receiveAhead(this.#ahead, lines);
    const batch = this.#sent.get(number);
    if (!batch) return;
    clearTimeout(batch.timer);
    this.#sent.delete(number);
    this.#waiting -= batch.waiting;
    batch.receive(lines);
  }

  #giveUp(number: number, reason: UnsignedReason, nowMs: number): void {
    const batch = this.#sent.get(number);
    if (!batch) return;
    const due = batch.takeDue(nowMs);
    const bids = due.reduce((sum, { count }) => sum + count, 0);
    this.#waiting -= bids;
    if (batch.waiting === 0) this.#sent.delete(number);
    else this.#wait(number, batch);
    if (bids > 0) this.#unsigned(reason, bids);
    for (const { count, signed } of due) signed(Array.from({ length: count }, () => null));
  }

  /** Has the thread make signatures for later bids, one message at a time: the more of them are needed, the more are in one. */
  #makeAhead(): void {
    if (this.#ahead || !this.#worker) return;
    this.#lastBatch += 1;
    const ahead: Ahead = { number: this.#lastBatch, lines: [], madeMs: 0 };
    this.#ahead = ahead;
    setImmediate(() => this.#sendAhead(ahead));
  }

  #sendAhead(ahead: Ahead): void {
    if (this.#ahead !== ahead) return;
    ahead.lines = this.#pool.next(AHEAD_MAX);
    ahead.madeMs = Date.now();
    if (ahead.lines.length === 0 || !this.#worker) {
      this.#ahead = null;
      return;
    }
    const tasks = ahead.lines.join('\n');
    this.#worker.postMessage({ batch: ahead.number, tasks, untilMs: Infinity } satisfies BatchMessage);
  }

  #receiveAhead({ lines, madeMs }: Ahead, extensions: readonly (string | null)[]): void {
    this.#ahead = null;
    for (const [index, line] of lines.entries()) this.#pool.add(line, extensions[index] ?? null, madeMs);
    this.#makeAhead();
  }

  #dropAhead(): void {
    this.#pool.clear();
    this.#ahead = null;
  }

  async #start(): Promise<void> {
    if (this.#starting || this.#closed) return;
    this.#starting = true;
    try {
      const worker = await this.#startedWorker();
      worker.once('exit', () => this.#ended());
      worker.postMessage(this.#keys);
      this.#worker = worker;
      if (this.#closed) await worker.terminate();
    } catch (err) {
      this.#log.error({ err }, 'the thread that signs bids could not be started');
      this.#restartLater();
    }
    this.#starting = false;
  }

  async #startedWorker(): Promise<Worker> {
    const worker = new Worker(await workerProgram('./signing-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
    });
    worker.unref();
    worker.on('message', (message: BatchMessage) => this.#receive(message));
    worker.on('error', (err) => this.#log.error({ err }, 'the thread that signs bids failed'));
    await once(worker, 'online');
    return worker;
  }

  #ended(): void {
    this.#worker = null;
    this.#dropAhead();
    for (const number of this.#sent.keys()) this.#giveUp(number, 'stopped', Infinity);
    this.#restartLater();
  }

  #restartLater(): void {
    if (!this.#closed) setTimeout(() => void this.#start(), RESTART_MS).unref();
  }
}

function lineOf({ storeView, ...task }: SigningTask): string {
  const { network, version, sourceApp, aakSourceApp, sourceIdentifier, itemId, reEngages } = task;
  return (
    `${network}\t${version ?? ''}\t${sourceApp}\t${aakSourceApp}\t${sourceIdentifier}\t${itemId}\t${reEngages ? 1 : ''}\t` +
    `${storeView.skadn}\t${storeView.adAttributionKit}`
  );
}

/** Gets the members of the bids' `ext` as JSON, in their order; null for a bid that is not signed. */
type Signed = (extensions: readonly (string | null)[]) => void;

/** The bids of one response that wait. */
interface Receiver {
  /** How many, from `from` on. */
  from: number;
  count: number;
  untilMs: number;
  signed: Signed;
}

/** Bids of one turn of the event loop that wait for their signatures, each response for a time of its own. Times are Unix ms. */
class SigningBatch {
  readonly lines: string[] = [];
  timer: NodeJS.Timeout | undefined;
  readonly #atMs: number;
  #receivers: Receiver[] = [];

  constructor(atMs: number) {
    this.#atMs = atMs;
  }

  add(lines: readonly string[], waitMs: number, signed: Signed): void {
    const { length: from } = this.lines;
    this.lines.push(...lines);
    this.#receivers.push({ from, count: lines.length, untilMs: this.#atMs + waitMs, signed });
  }

  /** How many bids wait. */
  get waiting(): number {
    return this.#receivers.reduce((sum, { count }) => sum + count, 0);
  }

  /** When the wait of the first receiver ends, and when the wait of the last one ends. */
  get nextMs(): number {
    return Math.min(...this.#receivers.map(({ untilMs }) => untilMs));
  }

  get untilMs(): number {
    return Math.max(...this.#receivers.map(({ untilMs }) => untilMs));
  }

  /** Takes out those whose time is over. */
  takeDue(nowMs: number): readonly Receiver[] {
    const due = this.#receivers.filter(({ untilMs }) => untilMs <= nowMs);
    this.#receivers = this.#receivers.filter(({ untilMs }) => untilMs > nowMs);
    return due;
  }

  receive(extensions: readonly (string | null)[]): void {
    for (const { from, count, signed } of this.#receivers) signed(extensions.slice(from, from + count));
  }
}

/** How old a signature may be when its bid is sent. Its timestamp is the time of signing, which may be before the bid. */
const AGE_MS_MAX = 120_000;
/** Most signatures that are ready, of about a kilobyte each, in total and for one kind of bid. */
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
 * version only, so that the text which asks for a signature is the key of its kind. Bounded: it evicts the kind whose last bid is the
 * oldest.
 */
class SignaturePool {
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
    // With so few bids, fewer signatures need to be ready.
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
