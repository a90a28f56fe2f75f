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
/** A bid waits no longer for its signatures. */
export const SIGNING_MS_MAX = 25;
const RESTART_MS = 1000;
const WORKER_MEGABYTES_MAX = 64;

/** Gets the members of the bids' `ext` as JSON, in their order; null for a bid that is not signed. */
type Signed = (extensions: readonly (string | null)[]) => void;

interface Batch {
  lines: string[];
  receivers: { count: number; signed: Signed }[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * Signs bids in a thread. What is asked for in a turn of the event loop is one message, and so is its response: the main thread spends
 * a few microseconds on a bid. Starts with the first keys. A bid whose signatures are late, or that comes while too many others wait, is
 * sent without them: `unsigned` counts it.
 */
export class SigningThread {
  readonly #log: Logger;
  readonly #unsigned: (reason: UnsignedReason, bids: number) => void;
  #keys: KeysMessage = [];
  #keysJson = '[]';
  #worker: Worker | null = null;
  #starting = false;
  #closed = false;
  #collecting: Batch | null = null;
  readonly #sent = new Map<number, Batch>();
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
    if (this.#worker) this.#worker.postMessage(keys);
    else if (keys.length > 0) void this.#start();
  }

  /** Whether there is a thread that signs. */
  isReady(): boolean {
    return this.#worker !== null;
  }

  /** Signs the bids of one response; `signed` is called once, in a later turn or at once where they cannot be signed now. */
  sign(tasks: readonly SigningTask[], signed: Signed): void {
    if (!this.#worker || this.#waiting + tasks.length > WAITING_MAX) {
      this.#unsigned(this.#worker ? 'busy' : 'stopped', tasks.length);
      return signed(tasks.map(() => null));
    }
    if (!this.#collecting) {
      this.#collecting = { lines: [], receivers: [], timer: undefined };
      queueMicrotask(() => this.#send());
    }
    for (const task of tasks) this.#collecting.lines.push(lineOf(task));
    this.#collecting.receivers.push({ count: tasks.length, signed });
    this.#waiting += tasks.length;
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
    batch.timer = setTimeout(() => this.#giveUp(number, 'late'), SIGNING_MS_MAX);
    if (this.#worker)
      this.#worker.postMessage({ batch: number, tasks: batch.lines.join('\n') } satisfies BatchMessage);
    else this.#giveUp(number, 'stopped');
  }

  #receive({ batch: number, tasks }: BatchMessage): void {
    const batch = this.#take(number);
    if (!batch) return;
    const lines = tasks.split('\n');
    let at = 0;
    for (const { count, signed } of batch.receivers) {
      const own = lines.slice(at, at + count).map((line) => (line === '' ? null : line));
      at += count;
      signed(own);
    }
  }

  #giveUp(number: number, reason: UnsignedReason): void {
    const batch = this.#take(number);
    if (!batch) return;
    this.#unsigned(reason, batch.lines.length);
    for (const { count, signed } of batch.receivers) signed(Array.from({ length: count }, () => null));
  }

  #take(number: number): Batch | undefined {
    const batch = this.#sent.get(number);
    if (!batch) return undefined;
    clearTimeout(batch.timer);
    this.#sent.delete(number);
    this.#waiting -= batch.lines.length;
    return batch;
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
    for (const number of this.#sent.keys()) this.#giveUp(number, 'stopped');
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
