import { setTimeout as pause } from 'node:timers/promises';
import { daysBefore } from '../days-before.ts';
import type { Db } from './transaction.ts';

/** Rows of one batch: its locks and its work are over within milliseconds. */
const BATCH = 500;
/** Time for other work between two batches. */
const PAUSE_MS = 20;
/** Longest time of one call; the rest is left to the next one. */
const RUN_MS_MAX = 5000;

/**
 * Calls `work` with the most rows that it may delete or change, each time as its own statement or transaction, until it
 * has done fewer or five seconds have passed. Resolves to the number of rows.
 */
export async function deleteInBatches(work: (rowsMax: number) => Promise<number>): Promise<number> {
  const endMs = performance.now() + RUN_MS_MAX;
  for (let rows = 0; ;) {
    const done = await work(BATCH);
    rows += done;
    if (done < BATCH || performance.now() >= endMs) return rows;
    await pause(PAUSE_MS);
  }
}

/** Deletes rows older than a number of days in batches, by `deleteBefore`. Resolves to the number of rows. */
export async function deleteOlderThan(
  { db, now }: { db: Db; now: () => Date },
  days: number,
  deleteBefore: (db: Db, before: Date, rowsMax: number) => Promise<number>,
): Promise<number> {
  const before = daysBefore(now(), days);
  return deleteInBatches((rowsMax) => deleteBefore(db, before, rowsMax));
}
