import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import { span } from '../../platform/telemetry/tracing.ts';
import { Counter, type CounterDeps, type CounterState } from './counter.ts';
import { type EventStream, StreamReplaced } from './event-stream.ts';
import type { PartitionStore } from './ownership.ts';
import type { SharedStream } from './shared-stream.ts';

/** Dependencies of {@link runCounter}. */
export interface RunCounterDeps extends Omit<CounterDeps, 'stream' | 'store' | 'onWaiting'> {
  log: Logger;
  stream: SharedStream;
  /** Resolves once the event table is migrated. Until then counters of the release before may count on. */
  tableReady: Promise<void>;
  /** The positions of a stream, for a new counter of it; prepared for its present end. */
  storeOf(stream: EventStream): Promise<PartitionStore>;
  /** Called after each round that counted something, with its duration. */
  onRound: (round: { seconds: number; events: number }) => void;
}

/** State of the counter of this process. */
export interface RunningState extends CounterState {
  /** Bytes in the stream at the last query; null before that. */
  streamBytes: number | null;
  /** Whether the stream responds: it did in the last eight seconds, and has not refused since. */
  isStreamUp: boolean;
}

/** The counter of this process, while it has the role. */
export interface RunningCounter {
  /** Null while the event table is not migrated, or the stream or PostgreSQL has not been available since the start. */
  state(): RunningState | null;
  /** Finishes the running round and gives the partitions up. */
  close(): Promise<void>;
}

const HEARTBEAT_MS = 1000;
/** Shortest time between the beginnings of two rounds: what comes meanwhile is one transaction and one insert. */
const ROUND_EVERY_MS = 200;
/** How often positions are stored, and partitions released, without anything to count. */
const IDLE_MS = 1000;
const PURGE_EVERY_MS = 3000;
const RETRY_MS = 1000;
/** The stream is queried every three seconds; a response that is so late does not come. */
const STREAM_SILENT_MS = 8000;

/** Counts the partitions that fall to this process, until it is closed; begins anew with a stream that was replaced. */
export function runCounter(deps: RunCounterDeps): RunningCounter {
  const closing = new AbortController();
  let session: Session | null = null;
  const running = (async () => {
    await Promise.race([deps.tableReady, once(closing.signal, 'abort')]);
    while (!closing.signal.aborted) {
      try {
        const stream = await deps.stream.open();
        session = new Session(deps, stream, await deps.storeOf(stream));
        await session.run(closing.signal);
      } catch (err) {
        deps.log.error({ err }, 'the event stream cannot be counted; retrying');
      }
      deps.stream.lost();
      await pause(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  })();
  return {
    state: () => session?.state() ?? null,
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Counting of one stream. */
class Session {
  readonly #deps: RunCounterDeps;
  readonly #stream: EventStream;
  readonly #counter: Counter;
  readonly #ended = new AbortController();
  #streamBytes: number | null = null;
  /** By the monotonic clock; it has just been opened. */
  #streamUpMs = performance.now();
  #wake: (() => void) | undefined;

  constructor(deps: RunCounterDeps, stream: EventStream, store: PartitionStore) {
    this.#deps = deps;
    this.#stream = stream;
    this.#counter = new Counter({ ...deps, stream, store, onWaiting: () => this.#wake?.() });
  }

  state(): RunningState {
    return { ...this.#counter.state(), streamBytes: this.#streamBytes, isStreamUp: this.#isStreamUp() };
  }

  /** Resolves when the process stops or the stream was replaced, and the partitions are given up. */
  async run(closing: AbortSignal): Promise<void> {
    closing.addEventListener('abort', () => this.#end(), { once: true });
    if (closing.aborted) this.#end();
    const { log } = this.#deps;
    const counter = this.#counter;
    const jobs: RepeatingJob[] = [
      repeat(HEARTBEAT_MS, 'count events', log, async () => {
        await counter.heartbeat();
        this.#wake?.();
      }),
      repeat(PURGE_EVERY_MS, 'purge the event stream', log, () => this.#purge()),
    ];
    await counter.heartbeat().catch((err: unknown) => log.error({ err }, 'counting starts later'));
    await this.#rounds();
    await Promise.all(jobs.map((job) => job.stop()));
    await counter.close();
  }

  #isStreamUp(): boolean {
    return performance.now() - this.#streamUpMs < STREAM_SILENT_MS;
  }

  #end(): void {
    this.#ended.abort();
    this.#wake?.();
  }

  async #rounds(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      if (!this.#counter.hasWaiting()) await this.#idle();
      if (signal.aborted) return;
      const startedMs = performance.now();
      let restMs = ROUND_EVERY_MS;
      try {
        const { events } = await span('count events', {}, async () => this.#counter.round());
        const seconds = (performance.now() - startedMs) / 1000;
        if (events > 0) this.#deps.onRound({ seconds, events });
      } catch (err) {
        this.#deps.log.error({ err }, 'events could not be counted; they stay in the stream and are retried');
        restMs = RETRY_MS;
      }
      const leftMs = startedMs + restMs - performance.now();
      if (leftMs > 0) await pause(leftMs, undefined, { signal }).catch(() => {});
    }
  }

  async #idle(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  async #purge(): Promise<void> {
    try {
      const { bytes } = await this.#stream.check();
      this.#streamBytes = bytes;
      this.#streamUpMs = performance.now();
      await this.#counter.purge();
    } catch (error) {
      if (!(error instanceof StreamReplaced)) {
        this.#streamUpMs = -Infinity;
        throw error;
      }
      this.#deps.log.error({ err: error }, 'the event stream was replaced; what it held is lost');
      this.#end();
    }
  }
}
