import type { EventSink } from './event-sink.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

/**
 * Follows how far the events of a log are counted. The function that is returned tells until when: all events that were
 * acknowledged before this instant are counted, Unix ms by `now` as it is at the call, also after that clock was set;
 * -Infinity before the first time. It follows more closely the more often it is called; once a second is enough. Rejects
 * while that cannot be found out.
 */
export function countingProgress(
  log: Pick<WriteAheadLog, 'waitingMs'>,
  sink: Pick<EventSink, 'checkpoint'>,
  now: () => Date,
): () => Promise<number> {
  // By the monotonic clock.
  let countedAtMs = -Infinity;
  let next: { atMs: number; isCounted: () => Promise<boolean> } | null = null;
  return async () => {
    if (!next) {
      // Read before the checkpoint, which then covers everything that has left the log.
      const atMs = performance.now() - (log.waitingMs() ?? 0);
      next = { atMs, isCounted: await sink.checkpoint() };
    }
    const { atMs, isCounted } = next;
    if (await isCounted()) {
      countedAtMs = atMs;
      next = null;
    }
    return now().getTime() - (performance.now() - countedAtMs);
  };
}
