import type { Mmp } from '@bidwell/contract/apps/schema';
import type { PostbackOutcome } from '@bidwell/contract/postbacks/schema';
import { apiMessages } from '@bidwell/contract/text/messages';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { ByteShares } from '../../platform/concurrency/byte-shares.ts';
import { Unavailable } from '../../platform/errors.ts';
import { addToSum } from '../../platform/group-by.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { InstallRates } from '../learning/install-rates.ts';
import { type StoredEvent, countedAppEvent } from '../event-store/event-store.ts';
import type { AppEvent, BidRef, DeliveryEvent } from '../model/event.ts';
import type { Ingest } from '../event-log/ingest.ts';
import { linkHistory } from './link-history-store.ts';
import { uuidTimeMs } from '../event-log/deduplication-window.ts';
import { ATTRIBUTION_KINDS, type Decision, decidePostback, touchpointOf } from './postback-decision.ts';
import { readEventNames } from './event-names.ts';
import { readEventWindows } from './event-window-store.ts';
import { readErased } from './erased-ids.ts';
import { readNamedApps, withoutDevice } from './named-apps.ts';
import { rejectionOf } from './postback-reading.ts';
import {
  type PostbackRow,
  countedClickIds,
  countedEventIds,
  rowOutcome,
  storePostbacks,
  storedPostbackIds,
} from './postback-store.ts';
import {
  type LoggedPostback,
  type RawPostback,
  type VerifiedPostback,
  readChecks,
  readPostback,
} from './received-postback.ts';
import { loadCurrencyRates } from '../snapshot/exchange-store.ts';
import type { Signer } from '../trackers/signing.ts';
import { type IsFinal, Uncounted } from './uncounted.ts';
import { UnknownParameters } from './unknown-parameters.ts';
import type { SharedIntake } from '../event-log/shared-intake.ts';
import type { StoredEvents } from '../event-log/stored-events.ts';
import { POSTBACK_LOG, UNCOUNTED_LOG } from '../event-log/quarantine.ts';
import {
  type LoggedSegment,
  type WriteAheadLog,
  type WriteAheadLogOptions,
  openWriteAheadLog,
} from '../event-log/write-ahead-log.ts';

/** Durable queue of postbacks: on disk at once, decided as soon as the databases are available. */
export interface PostbackQueue {
  /**
   * Resolves once the postback is on disk: at once with `pending`, or with its outcome where the caller waits for it, and it is decided
   * within `waitMs`. Rejects with Unavailable when the disk fails or too much is waiting, in all or of its company.
   */
  add(postback: RawPostback, waitMs: number): Promise<PostbackOutcome>;
  /** Resolves when everything added so far is decided, or waits for the events of other trackers. */
  flushed(): Promise<void>;
  /** Accepts no more postbacks; undecided ones wait on disk for the next start. */
  close(): Promise<void>;
}

/** Dependencies of the queue. */
export interface PostbackQueueDeps {
  db: Database;
  clickhouse: ClickHouse;
  ingest: Ingest;
  storedEvents: StoredEvents;
  /** How far the events of all trackers are counted; null where this process is the only one. */
  otherTrackers: Pick<SharedIntake, 'countedByAllMs'> | null;
  signer: Signer;
  rates: InstallRates;
  dataDir: string;
  log: Logger;
  now: () => Date;
  /** Resolves when both databases are migrated. */
  ready: Promise<unknown>;
  /** How long a request waits for the decision, ms; as it asks by default. */
  postbackAnswerMs?: (() => number) | undefined;
  /** Called for each decision. */
  decided: (mmp: Mmp, outcome: PostbackOutcome) => void;
}

const TOO_MANY = apiMessages.queueFullForCompany(apiMessages.postbacks);
/** How long a shutdown waits for undecided postbacks. */
const CLOSE_MS = 1000;
const SEGMENT_MS = 50;
const BYTES_MAX = 256 * 1024 ** 2;
/**
 * Of postbacks of one company that wait for their decision, at its secret address, and at those in links: anybody who clicks knows one of
 * these.
 */
const BYTES_MAX_EACH = { secret: BYTES_MAX / 8, link: BYTES_MAX / 64 };
/** Of postbacks that wait for the events of other trackers. They are written again at each look-up, so half of the log is theirs. */
const UNCOUNTED = { bytesMax: BYTES_MAX / 2, bytesMaxEach: BYTES_MAX / 32 };
/** How often the event of a postback is looked up that another tracker may not have handed on. */
const UNCOUNTED_EVERY_MS = 1000;
/**
 * A rejection waits this much longer for what it rejects than a postback for its click: the install or the event may itself be a
 * postback that waits at another tracker.
 */
const REJECTED_AFTER_MS = 10_000;

/**
 * Opens the log of postbacks under `dataDir`. Those of an earlier process are decided as soon as the databases are
 * available.
 */
export async function openPostbackQueue(deps: PostbackQueueDeps): Promise<PostbackQueue> {
  const waiting = new Map<string, (outcome: PostbackOutcome) => void>();
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the postback queue is closing'));
  });
  stopped.catch(() => {});
  const awaited = new Uncounted(deps.otherTrackers, deps.now, UNCOUNTED);
  const unknown = new UnknownParameters();
  const shares = new ByteShares();
  const answer = (
    { id, mmp }: Pick<PostbackRow, 'id' | 'mmp'>,
    outcome: PostbackOutcome,
    counted = outcome,
  ): void => {
    awaited.remove(id);
    deps.decided(mmp, counted);
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  };
  let opened = (): void => {};
  const logsOpen = new Promise<void>((resolve) => (opened = resolve));
  // One batch at a time: what has moved to the second log may still be in the first.
  let last: Promise<unknown> = Promise.all([deps.ready, logsOpen]);
  const decide = async (postbacks: readonly LoggedPostback[], isDoubtful: boolean): Promise<void> => {
    const decision = last
      .catch(() => deps.ready)
      .then(async () => {
        const isFinal = await awaited.beforeLookUp(postbacks);
        return decideBatch(deps, postbacks, { isDoubtful, isFinal, unknown });
      });
    last = decision;
    // A look-up may wait for a database that is unavailable until this process ends.
    decision.catch(() => {});
    const { rows, undecided, erased } = await Promise.race([decision, stopped]);
    for (const row of rows) answer(row, row.outcome, rowOutcome(row));
    for (const postback of erased) answer(postback, 'erased');
    // Behind the others, so that none holds up another.
    await Promise.all(undecided.map(async (one) => uncounted.append(recordOf(one))));
  };
  const common = logOptions(deps.log);
  const uncounted = await openWriteAheadLog({
    ...common,
    folder: join(deps.dataDir, UNCOUNTED_LOG),
    segmentMs: UNCOUNTED_EVERY_MS,
    loadEveryMs: UNCOUNTED_EVERY_MS,
    load: async (segments) => decide(postbacksIn(segments).postbacks, true),
  });
  const wal = await openWriteAheadLog({
    ...common,
    folder: join(deps.dataDir, POSTBACK_LOG),
    segmentMs: SEGMENT_MS,
    load: async (segments) => {
      const { postbacks, bytesOf } = postbacksIn(segments);
      await decide(
        postbacks,
        segments.some(({ doubtful }) => doubtful),
      );
      for (const [share, bytes] of bytesOf) shares.remove(share, bytes);
    },
  });
  const append = appenderTo(wal, shares);
  opened();
  return {
    async add(postback, waitMs) {
      const id = uuidv7();
      const logged: LoggedPostback = { v: 1, id, atMs: deps.now().getTime(), ...postback };
      const answerMs = deps.postbackAnswerMs?.() ?? waitMs;
      if (answerMs <= 0) {
        await append(logged);
        return 'pending';
      }
      const decision = new Promise<PostbackOutcome>((resolve) => waiting.set(id, resolve));
      try {
        await append(logged);
      } catch (error) {
        waiting.delete(id);
        throw error;
      }
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<PostbackOutcome>((resolve) => {
        timer = setTimeout(() => resolve('pending'), answerMs);
      });
      const outcome = await Promise.race([decision, late]);
      clearTimeout(timer);
      waiting.delete(id);
      return outcome;
    },
    flushed: () => wal.flushed(),
    async close() {
      const timeoutMs = setTimeout(stop, CLOSE_MS);
      await wal.close();
      await uncounted.close();
      clearTimeout(timeoutMs);
    },
  };
}

/** Writes a postback to the log, if its company has room there. */
function appenderTo(wal: Pick<WriteAheadLog, 'append' | 'waiting'>, shares: ByteShares) {
  return async (logged: LoggedPostback): Promise<void> => {
    const record = recordOf(logged);
    const share = shareOf(logged);
    // A damaged segment is put aside without its records.
    if (wal.waiting().bytes === 0) shares.clear();
    const bytesMax = logged.installToken === '' ? BYTES_MAX_EACH.secret : BYTES_MAX_EACH.link;
    if (!shares.add(share, record.length, bytesMax)) throw new Unavailable(TOO_MANY);
    try {
      await wal.append(record);
    } catch (error) {
      shares.remove(share, record.length);
      throw error;
    }
  };
}

/** Whose share of the log a postback takes. */
const shareOf = ({ companyId, installToken }: LoggedPostback): string =>
  installToken === '' ? companyId : `${companyId} link`;

/** A postback as it is written to a log. */
const recordOf = (postback: LoggedPostback): Buffer => Buffer.from(JSON.stringify(postback));

/** Options of both logs. */
function logOptions(log: Logger) {
  return {
    bytesMax: BYTES_MAX,
    onDamage: (damaged) =>
      log.error(
        damaged,
        'a segment of the postback log is damaged; its intact records are processed and the file is quarantined',
      ),
    onLoadError: (err) =>
      log.error({ err }, 'postbacks could not be attributed; they stay in the postback log and are retried'),
  } satisfies Partial<WriteAheadLogOptions>;
}

/** The postbacks in segments, and how many bytes this process wrote of each share. */
function postbacksIn(segments: readonly LoggedSegment[]) {
  // A process that ended while it wrote one again left it twice.
  const postbacks = new Map<string, LoggedPostback>();
  const bytesOf = new Map<string, number>();
  for (const { records, recovered } of segments)
    for (const record of records) {
      const postback = JSON.parse(record.toString('utf8')) as LoggedPostback;
      postbacks.set(postback.id, postback);
      if (!recovered) addToSum(bytesOf, shareOf(postback), record.length);
    }
  return { postbacks: [...postbacks.values()], bytesOf };
}

/**
 * Decides a batch and stores it. Idempotent: an install or an event in the app is recorded only once, and of a doubtful batch only the rows
 * are inserted that are not stored yet. Those whose event is not stored remain undecided where that
 * is not final, see {@link Uncounted}. Of those of erased devices nothing is recorded or stored.
 */
async function decideBatch(
  deps: PostbackQueueDeps,
  postbacks: readonly LoggedPostback[],
  { isDoubtful, isFinal, unknown }: { isDoubtful: boolean; isFinal: IsFinal; unknown: UnknownParameters },
): Promise<{ rows: PostbackRow[]; undecided: LoggedPostback[]; erased: VerifiedPostback[] }> {
  const { db, clickhouse, ingest, storedEvents, rates } = deps;
  const checks = await readChecks(db, postbacks);
  const namedApp = await readNamedApps(
    db,
    postbacks.filter(({ installToken }) => installToken === ''),
  );
  const all = postbacks.map((postback) => readPostback(postback, deps.signer, checks, namedApp));
  const isErased = await readErased(db, all);
  const read = all.filter((postback) => !isErased(postback));
  const refs = read.flatMap(({ ref, failedCheck, inApp }) =>
    ref && !failedCheck ? [ref, ...(inApp ? [{ ...ref, bidId: inApp.id }] : [])] : [],
  );
  const currencyRates = read.some(({ inApp }) => inApp)
    ? await loadCurrencyRates(db)
    : new Map<string, number>();
  const names = await readEventNames(
    db,
    read.flatMap(({ ref, failedCheck, inApp }) =>
      ref && inApp && !failedCheck
        ? [{ companyId: ref.companyId, appId: ref.appId, name: inApp.reading.name }]
        : [],
    ),
  );
  const windowOf = await readEventWindows(
    db,
    read.flatMap(({ ref, inApp }) => (ref && inApp ? [ref.appId] : [])),
  );
  const stored = new Map(await storedEvents.find(distinctBids(refs), ATTRIBUTION_KINDS));
  const recorded = new Map<string, AppEvent>();
  const record = async (event: DeliveryEvent) => {
    const outcome = await ingest.record(event);
    // The next postback of this batch may be about the same bid.
    if (outcome === 'stored') addTo(stored, event);
    if (outcome === 'stored' && event.app) recorded.set(event.ref.bidId, event.app);
    return outcome;
  };
  const linkIdOf = await linkFinder(db, read, stored);
  const rows: PostbackRow[] = [];
  const undecided: LoggedPostback[] = [];
  const admitted: string[] = [];
  for (const postback of read) {
    const ofBid = [postback.ref?.bidId, postback.inApp?.id].flatMap((id) => stored.get(id ?? '') ?? []);
    const decision: Decision = postback.failedCheck
      ? { outcome: 'unverified', reason: postback.failedCheck }
      : await decidePostback(postback, ofBid, {
          record,
          rates,
          countedEvent: async (id) => recorded.get(id) ?? countedAppEvent(clickhouse, id),
          windowOf,
          admitName: (ref, name) =>
            names.admit({ companyId: ref.companyId, appId: ref.appId, name }, deps.now()),
          currencyRates,
        });
    const waitsMs = waitOf(postback, decision.outcome, ofBid);
    if (waitsMs !== null && !isFinal(postback.logged, waitsMs)) undecided.push(postback.logged);
    else {
      const row = { ...rowOf(postback, decision, ofBid), trackingLinkId: linkIdOf(postback) };
      const isKnown = postback.ref !== undefined || row.outcome === 'unattributed';
      const isAdmitted = !isKnown && unknown.admit(row.companyId, deps.now().getTime());
      if (isAdmitted) admitted.push(row.companyId);
      rows.push(isKnown || isAdmitted ? row : { ...row, parameters: '{}' });
    }
  }
  try {
    await storePostbacks(clickhouse, isDoubtful ? await missingRows(clickhouse, rows) : rows);
  } catch (error) {
    // The batch is decided again.
    for (const companyId of admitted) unknown.giveBack(companyId);
    throw error;
  }
  return { rows, undecided, erased: all.filter(isErased) };
}

/**
 * How much longer than until all events that were acknowledged before it are counted a postback with this outcome waits, ms, because
 * the event that it is about is not stored; null for one that is decided.
 */
function waitOf(
  { ref, mayTakeBack, inApp }: VerifiedPostback,
  outcome: PostbackOutcome,
  ofBid: readonly StoredEvent[],
): number | null {
  if (outcome === 'no_touchpoint') return 0;
  if (outcome !== 'rejected' || !ref || !mayTakeBack) return null;
  const [rejected, id] = inApp ? ['app_event', inApp.id] : ['install', ref.bidId];
  return ofBid.some(({ kind, bidId }) => kind === rejected && bidId === id) ? null : REJECTED_AFTER_MS;
}

/** Reads for a batch which tracking link the ad sets had at the click or, without one, at the impression or the bid. */
async function linkFinder(
  db: Database,
  read: readonly VerifiedPostback[],
  stored: ReadonlyMap<string, readonly StoredEvent[]>,
): Promise<(postback: VerifiedPostback) => string> {
  const refs = read.flatMap(({ ref }) => (ref ? [ref] : []));
  const companyIds = [...new Set(refs.map(({ companyId }) => companyId))];
  const adsetIds = [...new Set(refs.map(({ adsetId }) => adsetId))];
  const sinceMs = Math.min(...refs.map(({ bidId }) => uuidTimeMs(bidId)));
  const history = await linkHistory(db, companyIds, adsetIds, sinceMs);
  return ({ ref }) =>
    (ref &&
      history.linkAt(
        ref.adsetId,
        touchpointOf(stored.get(ref.bidId) ?? [])?.atMs ?? uuidTimeMs(ref.bidId),
      )) ??
    '';
}

/** The row of a decided postback, without its tracking link. `ofBid` are the events stored before. */
function rowOf(
  { id, atMs, mmp, ref, logged, clickId, parameters, inApp, namedAppId }: VerifiedPostback,
  { outcome, reason, app }: Decision,
  ofBid: readonly StoredEvent[],
): Omit<PostbackRow, 'trackingLinkId'> {
  const touchpoint = outcome === 'stored' ? touchpointOf(ofBid)?.kind : undefined;
  return {
    id,
    atMs,
    companyId: logged.companyId,
    mmp,
    outcome,
    reason,
    clickId,
    parameters: JSON.stringify(namedAppId === '' ? parameters : withoutDevice(parameters)),
    campaignId: ref?.campaignId ?? '',
    touchpoint: touchpoint === 'click' || touchpoint === 'impression' ? touchpoint : '',
    partnerReason: outcome === 'rejected' || outcome === 'taken_back' ? rejectionOf(parameters) : '',
    test: ref?.test ?? false,
    namedAppId: outcome === 'unattributed' ? namedAppId : '',
    event: ref && inApp && app ? { id: inApp.id, kind: inApp.kind, appId: ref.appId, app } : null,
  };
}

function distinctBids(refs: readonly BidRef[]): BidRef[] {
  return [...new Map(refs.map((ref) => [ref.bidId, ref])).values()];
}

function addTo(
  stored: Map<string, StoredEvent[]>,
  { kind, atMs, ref, mark, untrained }: DeliveryEvent,
): void {
  const event = { bidId: ref.bidId, kind, atMs, mark, untrained: untrained ?? ('' as const) };
  stored.set(ref.bidId, [...(stored.get(ref.bidId) ?? []), event]);
}

/**
 * The rows of a batch that an earlier try did not store. A `duplicate` whose install or event no stored postback counted was
 * counted by that try, so its outcome becomes `stored`.
 */
async function missingRows(clickhouse: ClickHouse, rows: readonly PostbackRow[]): Promise<PostbackRow[]> {
  if (rows.length === 0) return [];
  const ids = await storedPostbackIds(clickhouse, rows);
  const missing = rows.filter(({ id }) => !ids.has(id));
  const repeated = missing.filter(({ outcome }) => outcome === 'duplicate');
  if (repeated.length === 0) return missing;
  const [clickIds, eventIds] = await Promise.all([
    countedClickIds(
      clickhouse,
      repeated.filter(({ event }) => !event),
    ),
    countedEventIds(clickhouse, repeated),
  ]);
  const counted = new Set([...clickIds, ...eventIds]);
  for (const row of missing) if (row.outcome === 'stored') counted.add(countedKey(row));
  return missing.map((row) => {
    const key = countedKey(row);
    if (row.outcome !== 'duplicate' || counted.has(key)) return row;
    counted.add(key);
    return { ...row, outcome: 'stored' as const };
  });
}

/** What a postback counts: its event in the app, otherwise the install of its click. */
function countedKey({ event, clickId }: PostbackRow): string {
  return event?.id ?? clickId;
}
