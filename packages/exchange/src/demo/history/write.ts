import { randomUUID } from 'node:crypto';
import { EventFile } from '@bidwell/server/delivery/event-log/event-file';
import { readEventNames } from '@bidwell/server/delivery/postbacks/event-names';
import { type PostbackRow, storePostbacks } from '@bidwell/server/delivery/postbacks/postback-store';
import type { Context } from '@bidwell/server/context';
import { checkLastHour } from '@bidwell/server/modules/insight/anomalies/service';
import { reconcileLedger } from '@bidwell/server/modules/money/ledger-check';
import { postSpend } from '@bidwell/server/modules/money/posting';
import type { DeliveryEvent } from '@bidwell/server/delivery/model/event';
import { TOKEN_HOLDER } from '@bidwell/server/platform/operator';
import type { HistoryAdset } from './adsets.ts';
import type { createHistory, HistorySink } from './generate.ts';
import type { FindOwner } from './owners.ts';
import { postbacksOf } from './postbacks.ts';
import { growthAt } from './seasons.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest part: each costs the insert of its events and a pass of the ledger, and every pass looks eight days back. */
const PART_MS = 7 * DAY_MS;
/** Events that are inserted at once, so that they do not fill the memory. */
const FILE_EVENTS = 150_000;
/** The kinds of events that measurement partners follow. */
const FOLLOWED: ReadonlySet<string> = new Set([
  'click',
  'install',
  'app_event',
  'reattribution',
  'reinstall',
  'reengaged_event',
]);
/** Those whose postbacks are stored at once: an insert takes as long for a few as for many. */
const FOLLOWED_AT_ONCE = 2000;
/** Hour of UTC at which the server checks its ledger each day. */
const LEDGER_CHECK_HOUR = 3;
/** The work of a day without traffic, relative to the traffic of a day at the end. */
const DAY_WORK = 0.1;
/** When the check of an hour takes place: after the time that late events have. */
const CHECK_AFTER_MS = 6 * 60_000;

export interface WriteOptions {
  ctx: Context;
  history: ReturnType<typeof createHistory>;
  adsets: readonly HistoryAdset[];
  /** Whose postbacks they are. */
  ownerOf: FindOwner;
  days: number;
  nowMs: number;
  /** The actions of people, each after the earlier spend is posted. */
  actions: readonly { atMs: number; run: () => Promise<void> }[];
  /** The time range whose hours are each written and checked for anomalies, Unix ms of whole hours. */
  watched: { fromMs: number; untilMs: number };
  /** Moves the server's clock. */
  setClock: (atMs: number) => void;
  onProgress: (share: number) => void;
  /** Receive what happens too, each as it is generated. */
  sinks: readonly HistorySink[];
}

/** The written history. */
export interface Written {
  events: number;
  spendMicros: number;
}

/**
 * Writes the history as the server would have: inserts the events of a week, then posts its spend to the ledger with the
 * clock of that time. Spend from before an action of people is posted before it, and the watched hours are each checked for
 * anomalies.
 */
export async function writeHistory(options: WriteOptions): Promise<Written> {
  const { ctx, adsets, ownerOf, days, nowMs, setClock, onProgress } = options;
  const firstMs = Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS;
  const written = { events: 0, spendMicros: 0 };
  const workUntil = workOf(firstMs, nowMs);
  const checkedMs = lastNight(nowMs);
  const parts = partsOf(firstMs, { ...options, checkedMs });
  let next: Generated | undefined = generate(parts[0]!, options);
  let followed: DeliveryEvent[] = [];
  const actionsUntil = inOrder(options);
  await actionsUntil(-Infinity, parts[0]!.endMs);
  for (const [index, { endMs, isWatched }] of parts.entries()) {
    const { files, spendMicros } = next!;
    followed = [...followed, ...next!.followed];
    written.events += files.reduce((sum, { size }) => sum + size, 0);
    written.spendMicros += spendMicros;
    const inserted = insertEach(ctx, files);
    // While ClickHouse works on other threads.
    const following = parts[index + 1];
    next = following && generate(following, options);
    await inserted;
    if (!following || followed.length >= FOLLOWED_AT_ONCE) {
      await storeFollowed(ctx, postbacksOf(followed, adsets, nowMs, ownerOf));
      followed = [];
    }
    setClock(Math.min(endMs + CHECK_AFTER_MS, nowMs));
    await postSpend(ctx, isWatched ? 'recent' : 'late');
    if (isWatched) await checkLastHour(ctx);
    if (endMs === checkedMs) await reconcileLedger(ctx, TOKEN_HOLDER);
    await actionsUntil(endMs + CHECK_AFTER_MS, following?.endMs ?? nowMs);
    onProgress(workUntil(endMs) / workUntil(nowMs));
  }
  await datePostings(ctx);
  return written;
}

/**
 * Writes what happened after the history that was written until `fromMs`, which took a while: until `nowMs` of the options.
 * The ledger has its spend.
 */
export async function continueHistory(
  options: Omit<WriteOptions, 'actions' | 'watched' | 'days' | 'onProgress'>,
  fromMs: number,
): Promise<Written> {
  const { ctx, adsets, ownerOf, nowMs, setClock } = options;
  const { files, followed, spendMicros } = generate({ fromMs, endMs: nowMs }, options);
  await insertEach(ctx, files);
  await storeFollowed(ctx, postbacksOf(followed, adsets, nowMs, ownerOf));
  setClock(nowMs);
  await postSpend(ctx, 'recent');
  return { events: files.reduce((sum, { size }) => sum + size, 0), spendMicros };
}

/** Dates the postings of each hour as the server would have: it posts an hour from its start on. */
async function datePostings({ db }: Context): Promise<void> {
  await db
    .updateTable('ledger_transactions')
    .set(({ ref }) => ({ created_at: ref('hour').$notNull(), updated_at: ref('hour').$notNull() }))
    .where('kind', '=', 'spend')
    .where('status', '=', 'success')
    .execute();
}

/**
 * Runs the actions of people that are due before `untilMs`, in the order of time; none of a part is before `postedMs`, its
 * posting.
 */
function inOrder({
  actions,
  setClock,
}: Pick<WriteOptions, 'actions' | 'setClock'>): (postedMs: number, untilMs: number) => Promise<void> {
  const waiting = actions.toSorted((a, b) => a.atMs - b.atMs);
  return async (postedMs, untilMs) => {
    while (waiting[0] && waiting[0].atMs < untilMs) {
      const { atMs, run } = waiting.shift()!;
      setClock(Math.max(atMs, postedMs));
      await run();
    }
  };
}

/** The hour of the last night at which the ledger was checked: a part ends with it. */
function lastNight(nowMs: number): number {
  return Math.floor((nowMs - LEDGER_CHECK_HOUR * HOUR_MS) / DAY_MS) * DAY_MS + LEDGER_CHECK_HOUR * HOUR_MS;
}

/** The work of the history from its start until an instant: its days, and their traffic. */
function workOf(firstMs: number, nowMs: number): (endMs: number) => number {
  return (endMs) => {
    let work = 0;
    for (let dayMs = firstMs; dayMs < Math.min(endMs, nowMs); dayMs += DAY_MS)
      work += (DAY_WORK + growthAt(dayMs, nowMs)) * Math.min(1, (Math.min(endMs, nowMs) - dayMs) / DAY_MS);
    return work;
  };
}

/** The events of a part of the history. */
interface Generated {
  files: readonly EventFile[];
  /** Those that measurement partners follow. */
  followed: readonly DeliveryEvent[];
  spendMicros: number;
}

function generate(
  { fromMs, endMs }: Pick<Part, 'fromMs' | 'endMs'>,
  { history, nowMs, sinks }: Pick<WriteOptions, 'history' | 'nowMs' | 'sinks'>,
): Generated {
  const files: EventFile[] = [];
  const followed: DeliveryEvent[] = [];
  const batch = randomUUID();
  let seq = 0;
  let spendMicros = 0;
  const event = (one: DeliveryEvent): void => {
    let file = files.at(-1);
    if (!file || file.size >= FILE_EVENTS) files.push((file = new EventFile()));
    file.add({ event: one, batch, seq });
    seq += 1;
    spendMicros += one.spendMicros;
    if (FOLLOWED.has(one.kind)) followed.push(one);
    for (const sink of sinks) sink.event(one);
  };
  const sink: HistorySink = {
    event,
    bid(...args) {
      for (const one of sinks) one.bid(...args);
    },
    noBid(...args) {
      for (const one of sinks) one.noBid?.(...args);
    },
    budgetSpent(...args) {
      for (const one of sinks) one.budgetSpent?.(...args);
    },
  };
  for (let hourMs = fromMs; hourMs < Math.min(endMs, nowMs); hourMs += HOUR_MS)
    history.hour(hourMs, sink, nowMs);
  return { files, followed, spendMicros };
}

async function insertEach({ clickhouse, config }: Context, files: readonly EventFile[]): Promise<void> {
  for (const file of files) await file.insert(clickhouse, config.dataDir);
}

/** Stores postbacks, and the names of the events in the apps that are new in them. */
async function storeFollowed({ clickhouse, db }: Context, rows: readonly PostbackRow[]): Promise<void> {
  const events = rows.flatMap(({ companyId, atMs, event }) =>
    event?.kind === 'event' ? [{ companyId, appId: event.appId, name: event.app.name, atMs }] : [],
  );
  const names = await readEventNames(db, events);
  for (const event of events) await names.admit(event, new Date(event.atMs));
  await storePostbacks(clickhouse, rows);
}

/** A part of the history that is written at once. */
interface Part {
  fromMs: number;
  endMs: number;
  /** One of the hours that are checked for anomalies. */
  isWatched: boolean;
}

/** The weeks, which also end where people do something or the ledger is checked, and the watched hours. */
function partsOf(
  firstMs: number,
  {
    actions,
    watched,
    checkedMs,
    nowMs,
  }: Pick<WriteOptions, 'actions' | 'watched' | 'nowMs'> & { checkedMs: number },
): Part[] {
  const ends = new Set([checkedMs, ...actions.map(({ atMs }) => atMs)]);
  for (let endMs = firstMs + PART_MS; endMs < nowMs + PART_MS; endMs += PART_MS) ends.add(endMs);
  for (let endMs = watched.fromMs; endMs <= watched.untilMs; endMs += HOUR_MS) ends.add(endMs);
  let fromMs = firstMs;
  return [...ends]
    .filter((endMs) => endMs > firstMs && endMs - PART_MS < nowMs)
    .toSorted((a, b) => a - b)
    .map((endMs) => {
      const isWatched = fromMs >= watched.fromMs && endMs <= watched.untilMs && endMs <= nowMs;
      const part = { fromMs, endMs, isWatched };
      fromMs = endMs;
      return part;
    });
}
