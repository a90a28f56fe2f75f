import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { inTime } from '../../concurrency/time-limits.ts';
import { workerProgram } from '../../worker-program.ts';
import type { WorkerResponse, WorkerRequest, WorkerTask } from './pglite-worker.ts';

/** A PostgreSQL in this process, which speaks the protocol of PostgreSQL's clients. */
export interface EmbeddedPostgres {
  /**
   * Executes the messages of one statement, where the last requests a response, and calls `receive` with each part of it.
   * One statement at a time. Rejects if the database could not be opened or has ended.
   */
  exchange(messages: Uint8Array<ArrayBuffer>, receive: (bytes: Uint8Array) => void): Promise<void>;
  /** Waits for the running statement, then closes the database. */
  close(): Promise<void>;
}

/** How long closing waits for the running statement and for unwritten data; then the thread is ended. */
const CLOSE_MS = 5000;

/** The embedded database ended unexpectedly. */
class EmbeddedPostgresEnded extends Error {
  constructor(cause?: unknown) {
    super('Connection terminated: the embedded PostgreSQL has ended', { cause });
  }
}

/**
 * Starts PGlite in a worker thread, so that statements and a slow disk do not delay this one. `ended` is called with the
 * reason if the open database ends unexpectedly.
 */
export function startEmbeddedPostgres(task: WorkerTask, ended: (reason: unknown) => void): EmbeddedPostgres {
  return new WorkerPostgres(task, ended);
}

class WorkerPostgres implements EmbeddedPostgres {
  readonly #thread: Promise<Worker>;
  readonly #open: Promise<Worker>;
  #running: { receive: (bytes: Uint8Array) => void; done: () => void; fail: (error: Error) => void } | null =
    null;
  #isClosing = false;
  #end: EmbeddedPostgresEnded | null = null;

  constructor(task: WorkerTask, ended: (reason: unknown) => void) {
    this.#thread = startThread(task);
    this.#open = this.#thread.then(opened);
    this.#open.then(
      (thread) => this.#listen(thread, ended),
      () => {},
    );
  }

  async exchange(messages: Uint8Array<ArrayBuffer>, receive: (bytes: Uint8Array) => void): Promise<void> {
    const thread = await this.#open;
    if (this.#end || this.#isClosing) throw this.#end ?? new EmbeddedPostgresEnded();
    await new Promise<void>((done, fail) => {
      this.#running = { receive, done, fail };
      thread.postMessage(messages satisfies WorkerRequest, [messages.buffer]);
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const thread = await this.#thread.catch(() => null);
    if (!thread || thread.threadId < 0) return;
    const exited = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage('close' satisfies WorkerRequest);
    await inTime(exited, CLOSE_MS, 'late').catch(async () => thread.terminate());
  }

  #listen(thread: Worker, ended: (reason: unknown) => void): void {
    let reason: unknown;
    thread.on('message', ({ bytes, isLast }: Exclude<WorkerResponse, 'ready'>) => {
      const running = this.#running!;
      running.receive(bytes);
      if (!isLast) return;
      this.#running = null;
      running.done();
    });
    thread.once('error', (error) => (reason = error));
    thread.once('exit', () => {
      this.#end = new EmbeddedPostgresEnded(reason);
      this.#running?.fail(this.#end);
      if (!this.#isClosing) ended(reason);
    });
  }
}

async function startThread(task: WorkerTask): Promise<Worker> {
  return new Worker(await workerProgram('./pglite-worker.ts', import.meta.url), {
    workerData: task,
    // Loaders of TypeScript and the like are not needed again.
    execArgv: [],
  });
}

/** Resolves once the database of a thread is open; rejects with the reason where it cannot be. */
async function opened(thread: Worker): Promise<Worker> {
  const exited = new Promise<never>((_resolve, reject) => {
    thread.once('exit', () => reject(new EmbeddedPostgresEnded()));
  });
  await Promise.race([once(thread, 'message'), exited]);
  return thread;
}
