import type { DeliveryEvent } from '../model/event.ts';
import { type BidCounters, BidCounts } from './bid-counts.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import { addToSum } from '../../platform/group-by.ts';
import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { type Database, json } from '../../platform/postgres/client.ts';
import type { Step } from '../../platform/startup.ts';
import { span } from '../../platform/telemetry/tracing.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

export const MINUTE_MS = 60_000;
/** Retention of the counts by minute, in days. */
export const EXCHANGE_MINUTE_DAYS = 7;
/** Minutes that stay in memory, so that late events and counts that could not be stored are added to them. */
const RETAINED_MINUTES = 15;
/** How often counts are taken, ms. The counts of a turn belong to the minute in which the turn began. */
const TAKE_EVERY_MS = 10_000;

/** Counts of an exchange in a minute, by one process. */
export interface ExchangeMinute {
  exchange: string;
  /** Start of the minute, Unix ms. */
  minuteMs: number;
  bids: BidCounts;
  events: EventCounts;
}

interface Retained extends ExchangeMinute {
  isStored: boolean;
}

/** The counts of a process by exchange and minute. The number of exchanges bounds their number. */
export class ExchangeMinutes {
  readonly #now: () => Date;
  /** By exchange and minute, the first counted first. */
  readonly #minutes = new Map<string, Retained>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Takes the counts of the last {@link TAKE_EVERY_MS}. */
  take(counters: BidCounters): void {
    const atMs = this.#now().getTime() - TAKE_EVERY_MS / 2;
    counters.take((slug, counts) => this.#at(slug, atMs).bids.add(counts));
  }

  /** Counts events in the minutes in which they arrived. */
  count(events: readonly DeliveryEvent[]): void {
    for (const event of events)
      if (!event.ref.test) this.#at(event.ref.exchange, event.atMs).events.count(event);
  }

  /**
   * Passes the minutes that are not stored to `store`, and marks them as stored while it runs; marks them as not stored
   * again if it fails. Evicts old minutes.
   */
  async save(store: (minutes: readonly ExchangeMinute[]) => Promise<void>): Promise<void> {
    const unsaved = [...this.#minutes.values()].filter(({ isStored }) => !isStored);
    for (const minute of unsaved) minute.isStored = true;
    try {
      if (unsaved.length > 0) await store(unsaved);
    } catch (error) {
      for (const minute of unsaved) minute.isStored = false;
      throw error;
    } finally {
      this.#evict();
    }
  }

  #at(exchange: string, atMs: number): ExchangeMinute {
    const nowMs = this.#now().getTime();
    const oldestMs = nowMs - (RETAINED_MINUTES - 1) * MINUTE_MS;
    const minuteMs = Math.floor(Math.max(oldestMs, Math.min(atMs, nowMs)) / MINUTE_MS) * MINUTE_MS;
    const key = `${exchange} ${minuteMs}`;
    let minute = this.#minutes.get(key);
    if (!minute) {
      minute = { exchange, minuteMs, bids: new BidCounts(), events: new EventCounts(), isStored: false };
      this.#minutes.set(key, minute);
    }
    minute.isStored = false;
    return minute;
  }

  /** Minutes that were never stored are lost here: the process does not wait for a silent database. */
  #evict(): void {
    const beforeMs = this.#now().getTime() - RETAINED_MINUTES * MINUTE_MS;
    for (const [key, { minuteMs }] of this.#minutes) if (minuteMs < beforeMs) this.#minutes.delete(key);
  }
}

/** Most codes of losses that are distinguished; an exchange may send any number. */
const LOSS_CODES_MAX = 50;

/** Results of an exchange's bids: its counted notices and impressions. */
export class EventCounts {
  wins = 0;
  billings = 0;
  impressions = 0;
  /** Impressions that were charged, at the event at which the exchange charges; a price of 0 is a charge too. */
  charged = 0;
  /** The media cost: charged by the exchange, without margins. */
  spendMicros: Micros = 0;
  /** Loss notices by code; 0 has those without a code, and further codes beyond the first {@link LOSS_CODES_MAX}. */
  readonly losses = new Map<number, number>();

  count(event: DeliveryEvent): void {
    const { kind, spendMicros, lossReason, priceFault } = event;
    this.spendMicros += mediaCostMicros(event);
    const isFree = kind === 'unpriced' && priceFault === undefined;
    if (spendMicros > 0 || isFree) this.charged += 1;
    if (kind === 'win') this.wins += 1;
    else if (kind === 'billing') this.billings += 1;
    else if (kind === 'impression') this.impressions += 1;
    else if (kind === 'loss') this.#countLoss(lossReason);
  }

  lost(): number {
    let sum = 0;
    for (const count of this.losses.values()) sum += count;
    return sum;
  }

  #countLoss(code: number): void {
    const isKnown = this.losses.has(code) || this.losses.size < LOSS_CODES_MAX;
    addToSum(this.losses, isKnown ? code : 0, 1);
  }
}

/** The exchange's charge for an event, in micros. */
export function mediaCostMicros({ spendMicros, marginMicros = 0 }: DeliveryEvent): Micros {
  return spendMicros - marginMicros;
}

/** Stores this process's counts of exchanges every ten seconds. */
export interface ExchangeReport {
  /** Stores the counts so far. Throws where PostgreSQL does not respond; the counts are then stored later. */
  flush(): Promise<void>;
  /** Stores the last counts; throws like {@link flush}. */
  stop(): Promise<void>;
}

/** Dependencies of {@link startExchangeReport}. */
interface ReportDeps {
  db: Database;
  log: Logger;
  /** Done once the tables exist. */
  postgres: Step;
  counters: BidCounters;
  minutes: ExchangeMinutes;
}

/**
 * Takes the counts at each tenth second of the clock, so that the counts of a minute are stored right after its end.
 * Taking never waits for the database.
 */
export function startExchangeReport({ db, log, postgres, counters, minutes }: ReportDeps): ExchangeReport {
  // A row has the counts of one run of a process: another run begins at zero.
  const processId = uuidv4();
  let timer: NodeJS.Timeout | undefined;
  const save = coalesce(async () => {
    if (!postgres.isDone()) return;
    await span('job store counts of exchanges', {}, async () =>
      minutes.save(async (rows) => saveExchangeMinutes(db, processId, rows)),
    );
  });
  const flush = async (): Promise<void> => {
    minutes.take(counters);
    await save();
  };
  const schedule = (): void => {
    timer = setTimeout(turn, TAKE_EVERY_MS - (Date.now() % TAKE_EVERY_MS));
    timer.unref();
  };
  const turn = (): void => {
    flush().catch((err: unknown) => log.warn({ err }, 'the counts of exchanges could not be stored yet'));
    schedule();
  };
  schedule();
  return {
    flush,
    async stop() {
      clearTimeout(timer);
      await flush();
    },
  };
}

/**
 * Stores the counts of a process, replacing the counts that it stored for the same minutes before. Covers all
 * companies.
 */
export async function saveExchangeMinutes(
  db: Db,
  processId: string,
  minutes: readonly ExchangeMinute[],
): Promise<void> {
  await sql`
    insert into exchange_minutes (
      exchange, minute, process, answered, bids, unreadable, failed, late, no_bids, latencies, wins, billings,
      impressions, charged, losses, spend_micros, country_checked, country_mismatched, shaping
    )
    select
      exchange, minute, ${processId}::uuid, answered, bids, unreadable, failed, late, no_bids, latencies, wins,
      billings, impressions, charged, losses, spend_micros, country_checked, country_mismatched, shaping
    from json_to_recordset(${json(minutes.map(rowOf))}::json) as r (
      exchange text, minute timestamptz, answered bigint, bids bigint, unreadable bigint, failed bigint, late bigint,
      no_bids jsonb, latencies jsonb, wins bigint, billings bigint, impressions bigint, charged bigint, losses jsonb,
      spend_micros bigint, country_checked bigint, country_mismatched bigint, shaping jsonb
    )
    order by exchange, minute
    on conflict (exchange, minute, process) do update set
      answered = excluded.answered, bids = excluded.bids, unreadable = excluded.unreadable, failed = excluded.failed,
      late = excluded.late, no_bids = excluded.no_bids, latencies = excluded.latencies, wins = excluded.wins,
      billings = excluded.billings, impressions = excluded.impressions, charged = excluded.charged,
      losses = excluded.losses, spend_micros = excluded.spend_micros,
      country_checked = excluded.country_checked, country_mismatched = excluded.country_mismatched,
      shaping = excluded.shaping`.execute(db);
}

/** Deletes the minutes of all exchanges before an instant. */
export async function deleteExchangeMinutes(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('exchange_minutes').where('minute', '<', before).execute();
}

function rowOf({ exchange, minuteMs, bids, events }: ExchangeMinute) {
  const { answered, unreadable, failed, late, countryChecked, countryMismatched } = bids;
  const { wins, billings, impressions, charged, spendMicros } = events;
  return {
    exchange,
    minute: new Date(minuteMs).toISOString(),
    answered,
    bids: bids.bids,
    unreadable,
    failed,
    late,
    no_bids: Object.fromEntries(bids.noBids),
    latencies: Object.fromEntries([...bids.latencies.entries()].filter(([, count]) => count > 0)),
    wins,
    billings,
    impressions,
    charged,
    losses: Object.fromEntries(events.losses),
    spend_micros: spendMicros,
    country_checked: countryChecked,
    country_mismatched: countryMismatched,
    shaping: bids.shaping.isEmpty ? null : bids.shaping.stored(),
  };
}
