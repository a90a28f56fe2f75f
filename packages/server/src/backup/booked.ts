import { setTimeout as pause } from 'node:timers/promises';
import { BackupFailed } from './backup-failed.ts';
import type { BookedEvents } from './booked-store.ts';
import { madeAtMs, missingBatches, missingPositions } from './booked-store.ts';
import type { BackupParts } from './parts.ts';

const TIMEOUT_MS = 60_000;
const FIRST_WAIT_MS = 20;
const WAIT_MS = 500;
/** The events of an older batch were destroyed, as by a damaged disk: its log would have been counted by now. */
const LOST_AFTER_MS = 24 * 3_600_000;

/**
 * Waits until ClickHouse has all events that were booked at the moment of the state: a booking comes before its events. Calls
 * `note` where events of long ago are missing for good. Throws {@link BackupFailed} when events do not come.
 */
export async function untilStored(
  { db, clickhouse }: Pick<BackupParts, 'db' | 'clickhouse'>,
  booked: BookedEvents,
  note: (text: string) => void,
): Promise<void> {
  const nowMs = Date.now();
  const isLost = (batch: string) => nowMs - madeAtMs(batch) > LOST_AFTER_MS;
  const startedMs = performance.now();
  let batches = booked.batches;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(WAIT_MS, waitMs * 2)) {
    batches = await missingBatches(clickhouse, batches);
    const { positions, isCounted } = await missingPositions(db, booked.positions);
    if (batches.every(isLost) && positions.length === 0) break;
    if (performance.now() - startedMs > TIMEOUT_MS)
      throw new BackupFailed(
        isCounted
          ? 'Events whose spend is booked are not in ClickHouse yet: they wait in the log of a tracker, or in the event stream. Make sure that trackers and counters run and ClickHouse answers, then repeat the backup.'
          : 'Events whose spend is booked wait in the event stream, and no process with the role counter runs: start one, then repeat the backup.',
      );
    await pause(waitMs);
  }
  if (batches.length > 0)
    note(
      `Events of ${batches.length} segments of an event log were booked more than a day ago and are not in ClickHouse; the backup does not have them either.`,
    );
}
