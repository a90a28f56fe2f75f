import { setTimeout as pause } from 'node:timers/promises';
import { type BookedEvents, madeAtMs, missingBatches, missingPositions } from './booked-store.ts';
import type { BackupParts } from './parts.ts';

const WAIT_FOR_MS = 60_000;
const FIRST_WAIT_MS = 20;
const WAIT_MS = 500;
/** The events of an older batch were destroyed, as by a damaged disk: its log would have been counted by now. */
const LOST_AFTER_MS = 24 * 3_600_000;

/**
 * Waits until ClickHouse has all events that were booked at the moment of the state: a booking comes before its events. Calls
 * `note` where events of long ago are missing for good. Returns which events have not come in time, in sentences.
 */
export async function untilStored(
  { db, clickhouse, waitMs: waitForMs = WAIT_FOR_MS }: Pick<BackupParts, 'db' | 'clickhouse' | 'waitMs'>,
  booked: BookedEvents,
  note: (text: string) => void,
): Promise<string[]> {
  const nowMs = Date.now();
  const isLost = (batch: string) => nowMs - madeAtMs(batch) > LOST_AFTER_MS;
  const startedMs = performance.now();
  let batches = booked.batches;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(WAIT_MS, waitMs * 2)) {
    batches = await missingBatches(clickhouse, batches);
    const { positions, isCounted } = await missingPositions(db, booked.positions);
    if (batches.every(isLost) && positions.length === 0) break;
    if (performance.now() - startedMs > waitForMs)
      return [...missingOf(batches.filter((batch) => !isLost(batch))), ...waitingOf(positions, isCounted)];
    await pause(waitMs);
  }
  if (batches.length > 0)
    note(
      `Events of ${batches.length} segments of an event log were booked more than a day ago and are not in ClickHouse; the backup does not have them either.`,
    );
  return [];
}

function missingOf(batches: readonly string[]): string[] {
  if (batches.length === 0) return [];
  const firstMs = Math.min(...batches.map(madeAtMs));
  return [
    `The backup lacks the events of ${batches.length} ${batches.length === 1 ? 'segment' : 'segments'} of an event log, made since ${new Date(firstMs).toISOString()}, whose spend is booked: they wait in the log of a tracker, or are lost.`,
  ];
}

function waitingOf(positions: BookedEvents['positions'], isCounted: boolean): string[] {
  if (positions.length === 0) return [];
  const partitions = [...new Set(positions.map(({ partition }) => partition))].sort((a, b) => a - b);
  return [
    `The backup lacks events of the event stream whose spend is booked, of partition ${partitions.join(', ')}: ${
      isCounted
        ? 'their counter has not stored them within a minute.'
        : 'no process with the role counter runs.'
    }`,
  ];
}
