import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { workerProgram } from '../../platform/worker-program.ts';
import type { SigningTask } from './impression-extension.ts';
import { SignaturePool } from './signature-pool.ts';
import { type Signed, SigningBatch } from './signing-batch.ts';
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
 * Signs bids in a thread, most of them ahead of time: a bid takes a signature of its kind that is ready ({@link SignaturePool}). Where
 * there is none it waits for its own; those of a turn of the event loop are one message. Starts with the first keys. A bid whose
 * signatures are late, or that comes while too many others wait, is sent without them: `unsigned` counts it.
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
  const { network, version, sourceApp, aakSourceApp, sourceIdentifier, itemId } = task;
  return (
    `${network}\t${version ?? ''}\t${sourceApp}\t${aakSourceApp}\t${sourceIdentifier}\t${itemId}\t` +
    `${storeView.skadn}\t${storeView.adAttributionKit}`
  );
}
