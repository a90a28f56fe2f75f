import { randomUUID } from 'node:crypto';
import { insertManyEvents } from '@bidwell/server/delivery/events/event-file';
import { storePostbacks } from '@bidwell/server/delivery/events/postback-store';
import type { Engines } from '@bidwell/server/engines';
import { checkLastHour } from '@bidwell/server/modules/anomalies/service';
import { postSpend } from '@bidwell/server/modules/finance/posting';
import type { DeliveryEvent } from '@bidwell/server/delivery/model/event';
import type { HistoryAdset } from './adsets.ts';
import { postbacksOf } from './postbacks.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The part of the history that is written hour by hour, before its end. */
const RECENT_MS = 4 * DAY_MS;
/** When the check of an hour takes place: after the time that late events have. */
const CHECK_AFTER_MS = 6 * 60_000;

export interface WriteOptions {
  engines: Engines;
  history: { hour(hourMs: number): DeliveryEvent[] };
  adsets: readonly HistoryAdset[];
  days: number;
  nowMs: number;
  /** Moves the server's clock. */
  setClock: (atMs: number) => void;
  onProgress: (share: number) => void;
  /** Called with all events, part by part. */
  onEvents: (events: readonly DeliveryEvent[]) => void;
}

/** What was written. */
export interface Written {
  events: number;
  spendMicros: number;
}

/**
 * Writes the history as the server would have: inserts the events of a day, then posts its spend to the ledger with the
 * clock of that time. In the last days this goes by hours, and each hour is checked for anomalies.
 */
export async function writeHistory(options: WriteOptions): Promise<Written> {
  const { engines, history, days, nowMs, setClock, onProgress, onEvents } = options;
  const firstMs = Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS;
  const written = { events: 0, spendMicros: 0 };
  const generate = ({ fromMs, endMs }: Part): DeliveryEvent[] => {
    const events: DeliveryEvent[] = [];
    for (let hourMs = fromMs; hourMs < Math.min(endMs, nowMs); hourMs += HOUR_MS)
      events.push(...history.hour(hourMs));
    return events;
  };
  const parts = partsOf(firstMs, nowMs);
  let events = generate(parts[0]!);
  for (const [index, { endMs, isRecent }] of parts.entries()) {
    const batch = randomUUID();
    const rows = events.map((event, seq) => ({ event, batch, seq }));
    const inserted = insertManyEvents(engines.clickhouse, rows, engines.config.dataDir);
    const postbacks = postbacksOf(events, options.adsets, nowMs);
    onEvents(events);
    written.events += events.length;
    for (const { spendMicros } of events) written.spendMicros += spendMicros;
    // While ClickHouse works on other threads.
    const next = parts[index + 1];
    events = next ? generate(next) : [];
    await inserted;
    await storePostbacks(engines.clickhouse, postbacks);
    setClock(Math.min(endMs + CHECK_AFTER_MS, nowMs));
    await postSpend(engines, isRecent ? 'recent' : 'late');
    if (isRecent && endMs + CHECK_AFTER_MS <= nowMs) await checkLastHour(engines);
    onProgress(Math.min(1, (endMs - firstMs) / (nowMs - firstMs)));
  }
  return written;
}

/** A part of the history that is written at once. */
interface Part {
  fromMs: number;
  endMs: number;
  isRecent: boolean;
}

function partsOf(firstMs: number, nowMs: number): Part[] {
  const parts: Part[] = [];
  for (let fromMs = firstMs; fromMs < nowMs; fromMs = parts.at(-1)!.endMs) {
    const isRecent = fromMs >= nowMs - RECENT_MS;
    parts.push({ fromMs, endMs: fromMs + (isRecent ? HOUR_MS : DAY_MS), isRecent });
  }
  return parts;
}
