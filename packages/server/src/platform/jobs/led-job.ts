import type { Work } from './repeat.ts';

/** Work that one process repeats: the one that leads the jobs. Each domain lists its own. */
export interface LedJob {
  /** What is logged and traced. */
  name: string;
  /** Milliseconds from the end of a run to the begin of the next. */
  everyMs: number;
  work: Work;
  /** It reads events, and so waits until the event store has started. */
  readsEvents?: true;
}

/** How often jobs look for rows to delete, in milliseconds: an hour's rows are few, and a backlog is deleted within days. */
export const RETENTION_EVERY_MS = 600_000;

/** Rounds of a job between two looks for what a server of an earlier release left waiting, as during an upgrade. */
export const ADOPT_EVERY = 60;
