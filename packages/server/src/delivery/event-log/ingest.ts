import { INSTALL_LATENESS_DAYS } from '@bidwell/contract/apps/event-settings';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { span } from '../../platform/telemetry/tracing.ts';
import type { Logger } from 'pino';
import { encodeEvent } from './event-record.ts';
import { type DeliveryEvent, PARTNER_KINDS, kindIndexOf } from '../model/event.ts';
import { DeduplicationWindow, uuidTimeMs } from './deduplication-window.ts';
import { type IntakeError, watchIntake } from './intake.ts';
import { EVENT_LOG } from './quarantine.ts';
import { openWriteAheadLog, type WriteAheadLogOptions, type WriteAheadLog } from './write-ahead-log.ts';
import type { Registry } from 'prom-client';
import { registerGauge } from '../../platform/telemetry/metrics.ts';

/** Longest age of a bid at which its events are accepted, in days. */
const LATENESS_DAYS = 7;
const DAY_MS = 86_400_000;
/** Health checks often wait for one second only. */
const PROBE_MS = 800;
const EXPIRE_EVERY_MS = 60_000;
/** Most pairs of bid and event kind that a tracker remembers: about 5 MB. */
const RECENT_PAIRS_MAX = 500_000;

export type Outcome = 'stored' | 'duplicate' | 'expired';

/** Intake of all events: an acknowledged event is stored, and counted exactly once. */
export interface Ingest {
  /**
   * Resolves when the event is on disk, or was before (`duplicate`, also only once the first one is on disk). An event of
   * a bid that is too old is `expired`. A tracker remembers only its recent events: another duplicate may resolve to
   * `stored`; it is dropped when it is counted. Throws Unavailable when the log is full or the disk fails.
   */
  record(event: DeliveryEvent): Promise<Outcome>;
  /** Resolves when all acknowledged events can be queried. */
  flushed(): Promise<void>;
  /**
   * All events that were acknowledged before this instant of the process's clock are counted, Unix ms; -Infinity at first.
   * Rejects while that cannot be found out.
   */
  countedMs(): Promise<number>;
  /** Whether the log can be written, as a try shows that has been made within the time of a health check. */
  canWrite(): Promise<boolean>;
  /** The reason to stop bidding because this log may have no room for the notices; null for none. */
  fault(): IntakeError | null;
  /** State for metrics and operators. */
  state(): { waitingBytes: number; damagedSegments: number };
  /** Resolves when the segments of earlier processes are handed on. */
  recovered: Promise<void>;
  close(): Promise<void>;
}

export interface IngestOptions {
  sink: EventSink;
  dataDir: string;
  log: Logger;
  now: () => Date;
  /** Bytes that may wait on disk before events are rejected. */
  bytesMax?: number;
}

/**
 * Opens the event log under `dataDir`, and hands on the events that an earlier process acknowledged and did not hand
 * on.
 */
export async function openIngest({ sink, now, log, dataDir, bytesMax }: IngestOptions): Promise<Ingest> {
  const recent = new DeduplicationWindow(now().getTime(), RECENT_PAIRS_MAX);
  const folder = join(dataDir, EVENT_LOG);
  let damagedSegments = 0;
  const wal = await openWriteAheadLog({
    folder,
    now,
    ...(bytesMax !== undefined && { bytesMax }),
    ...(sink.loadEveryMs !== undefined && { loadEveryMs: sink.loadEveryMs }),
    load: async (segments) =>
      span('pass on events', { segments: segments.length }, async () => sink.load(segments)),
    onLoadError: (err) =>
      log.error({ err }, 'events could not be handed on; they stay in the event log and are retried'),
    onDamage(damaged) {
      log.error(
        damaged,
        'a segment of the event log is damaged; its intact records are stored and the file is quarantined',
      );
      damagedSegments += 1;
    },
  });
  const intake = watchIntake(wal, folder);
  const countedMs = countingProgress(wal, sink, now);
  const pending = new Map<string, Promise<void>>();
  let expiredAtMs = 0;

  return {
    async record(event) {
      const nowMs = now().getTime();
      const { bidId } = event.ref;
      if (isExpired(event, nowMs)) return 'expired';
      if (Math.abs(nowMs - expiredAtMs) > EXPIRE_EVERY_MS) {
        expiredAtMs = nowMs;
        recent.expire(nowMs);
      }
      const kindIndex = kindIndexOf(event.kind);
      const key = `${bidId}${kindIndex}`;
      if (!recent.add(bidId, kindIndex)) {
        await pending.get(key);
        return 'duplicate';
      }
      const stored = wal.append(encodeEvent(event));
      pending.set(key, stored);
      try {
        await stored;
      } catch (error) {
        recent.remove(bidId, kindIndex);
        throw error;
      } finally {
        pending.delete(key);
      }
      return 'stored';
    },
    async flushed() {
      await wal.flushed();
      await sink.flushed();
    },
    countedMs,
    async canWrite() {
      await Promise.race([wal.probe(), pause(PROBE_MS, undefined, { ref: false })]);
      return wal.writeError() === null;
    },
    fault: () => intake.fault(),
    state: () => ({ waitingBytes: wal.waiting().bytes, damagedSegments }),
    recovered: wal.recovered,
    async close() {
      intake.stop();
      await wal.close();
    },
  };
}

/** Whether a bid is too old for an event of this kind, or more than a day in the future. */
function isExpired({ kind, ref }: DeliveryEvent, nowMs: number): boolean {
  const days = PARTNER_KINDS.includes(kind) ? INSTALL_LATENESS_DAYS : LATENESS_DAYS;
  const ageMs = nowMs - uuidTimeMs(ref.bidId);
  return ageMs > days * DAY_MS || ageMs < -DAY_MS;
}

/** Where the segments of a tracker's log go. */
export interface EventSink {
  /** Counts or publishes segments. Repeated until it succeeds. */
  load: WriteAheadLogOptions['load'];
  /** Shortest time between the beginnings of two loads; none if undefined. */
  loadEveryMs?: number;
  /**
   * Notes which events `load` has handed on so far, in this process or an earlier one with the same log. The returned
   * function resolves to whether all of them can be queried.
   */
  checkpoint(): Promise<() => Promise<boolean>>;
  /** Resolves when everything that `load` has handed on can be queried. */
  flushed(): Promise<void>;
}

/**
 * Follows how far the events of a log are counted. The function that is returned tells until when: all events that were
 * acknowledged before this instant are counted, Unix ms by `now` as it is at the call, also after that clock was set;
 * -Infinity before the first time. It follows more closely the more often it is called; once a second is enough. Rejects
 * while that cannot be found out.
 */
function countingProgress(
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

/** Registers the metrics of the event log for /metrics. */
export function registerIngestMetrics(registry: Registry, ingest: Pick<Ingest, 'state' | 'fault'>): void {
  const gauge = (name: string, help: string, value: () => number): void =>
    registerGauge(registry, name, help, value);
  gauge(
    'bidwell_event_log_waiting_bytes',
    'Bytes of the event log that wait to be stored',
    () => ingest.state().waitingBytes,
  );
  gauge(
    'bidwell_event_log_damaged_segments',
    'Segments put into quarantine since the start',
    () => ingest.state().damagedSegments,
  );
  gauge('bidwell_event_log_fault', '1 while the log or its disk cannot accept notices of new bids', () =>
    ingest.fault() === null ? 0 : 1,
  );
}
