import { BUCKET_MS, type DeduplicationWindow } from '../event-log/deduplication-window.ts';
import { partitionOfWords } from '../event-store/partitions.ts';
import type { EventTable } from './event-table.ts';

const DAY_MS = 86_400_000;
/** Above this many stored events windows are filled in steps, the newest first. */
const FILL_AT_ONCE = 4_000_000;

/**
 * Fills the windows of some partitions of `count` with the stored events of their bids, in steps with the newest first
 * where they are many. From then on they cover their bids.
 */
export async function fillWindows(
  table: EventTable,
  windows: ReadonlyMap<number, DeduplicationWindow>,
  count: number,
  nowMs: number,
): Promise<void> {
  const all = [...windows.values()];
  if (all.length === 0) return;
  const of = { count, partitions: [...windows.keys()] };
  const floorMs = Math.min(...all.map((window) => window.floorMs));
  // A bidder's clock may be ahead of this one.
  let beforeMs = nowMs + DAY_MS + BUCKET_MS;
  const stored = await table.countSince(floorMs, of);
  if (stored === 0) {
    for (const window of all) window.coverFrom(floorMs);
    return;
  }
  for (const window of all) window.expect(stored / all.length);
  const stepMs = stored > FILL_AT_ONCE ? BUCKET_MS : beforeMs - floorMs;
  const newestMs = Math.max(floorMs, Math.ceil(nowMs / BUCKET_MS) * BUCKET_MS - stepMs);
  // A window that is full raises its floor.
  for (let fromMs = newestMs; all.some((window) => fromMs >= window.floorMs); fromMs -= stepMs) {
    await table.readPairs({ fromMs, beforeMs, ...of }, (bid, kindIndex) =>
      windows.get(partitionOfWords(bid, count))?.addWords(bid, kindIndex),
    );
    for (const window of all) window.coverFrom(fromMs);
    beforeMs = fromMs;
  }
}
