import type { Mmp } from '@bidwell/contract/apps/fields';
import type { PostbackOutcome } from '@bidwell/contract/postbacks/schema';
import pLimit from 'p-limit';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { InstallRates } from '../learning/install-rates.ts';
import { type StoredEvent, countedAppEvent } from '../event-store/event-store.ts';
import type { AppEvent, BidRef, DeliveryEvent, EventKind } from '../model/event.ts';
import type { Ingest } from '../event-log/ingest.ts';
import { linkHistory } from './link-history.ts';
import { uuidTimeMs } from '../event-log/deduplication-window.ts';
import { ATTRIBUTION_KINDS, type Decision, decidePostback, touchpointOf } from './postback-decision.ts';
import { readEventNames } from './event-names.ts';
import { readEventWindows } from './event-windows.ts';
import { readErased } from './erasure/erased-ids.ts';
import { readNamedApps, withoutDevice } from './named-apps.ts';
import { rejectionOf } from './postback-reading.ts';
import {
  type Outcomes,
  type PostbackRow,
  countedClickIds,
  countedEventIds,
  rowOutcome,
  storePostbacks,
  storedOutcomes,
} from './postback-store.ts';
import { type LoggedPostback, type VerifiedPostback, readChecks, readPostback } from './received-postback.ts';
import { loadCurrencyRates } from '../snapshot/exchange-store.ts';
import type { Signer } from '../trackers/signer.ts';
import type { IsFinal } from './waiting-postbacks.ts';
import type { StoredEvents } from '../event-log/stored-events.ts';

/** Dependencies of decisions. */
export interface BatchDeps {
  db: Database;
  clickhouse: ClickHouse;
  ingest: Pick<Ingest, 'record'>;
  storedEvents: StoredEvents;
  signer: Signer;
  rates: InstallRates;
  now: () => Date;
}

/** A decided postback. */
export interface DecidedPostback extends Outcomes {
  id: string;
  mmp: Mmp;
}

/** Postbacks that are decided at once, since each waits for the disk. */
const AT_ONCE = 32;
/**
 * A rejection waits for its install or event this much longer than a postback waits for its click: the install or the event may
 * itself be a postback that waits at another tracker.
 */
const REJECTED_AFTER_MS = 10_000;

/**
 * Decides a batch and stores it. Idempotent: an install or an in-app event is recorded only once, and the postbacks of a doubtful batch
 * that are stored are not decided again, since a rejection would then find events that followed it. A postback whose event is not
 * stored remains undecided unless that is final, see {@link Uncounted}. Postbacks of erased devices are neither recorded nor stored.
 */
export async function decideBatch(
  deps: BatchDeps,
  postbacks: readonly LoggedPostback[],
  { isDoubtful, isFinal, unknown }: { isDoubtful: boolean; isFinal: IsFinal; unknown: UnknownParameters },
): Promise<{ decided: DecidedPostback[]; undecided: LoggedPostback[] }> {
  const { db, clickhouse, ingest, storedEvents, rates } = deps;
  const known = await storedOutcomes(clickhouse, isDoubtful ? postbacks : []);
  const open = postbacks.filter(({ id }) => !known.has(id));
  const checks = await readChecks(db, open);
  const namedApp = await readNamedApps(
    db,
    open.filter(({ installToken }) => installToken === ''),
  );
  const all = open.map((postback) => readPostback(postback, deps.signer, checks, namedApp));
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
      ref && inApp && !inApp.returned && !failedCheck
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
  const decisionOf = async (postback: VerifiedPostback, ofBid: readonly StoredEvent[]): Promise<Decision> =>
    postback.failedCheck
      ? { outcome: 'unverified', reason: postback.failedCheck }
      : decidePostback(postback, ofBid, {
          record,
          rates,
          countedEvent: async (id) => recorded.get(id) ?? countedAppEvent(clickhouse, id),
          windowOf,
          admitName: (ref, name) =>
            names.admit({ companyId: ref.companyId, appId: ref.appId, name }, deps.now()),
          currencyRates,
        });
  const decided = await inOrderOfBids(read, async (postback) => {
    const ofBid = [postback.ref?.bidId, postback.inApp?.id].flatMap((id) => stored.get(id ?? '') ?? []);
    return { postback, ofBid, decision: await decisionOf(postback, ofBid) };
  });
  const rows: PostbackRow[] = [];
  const undecided: LoggedPostback[] = [];
  const admitted: string[] = [];
  for (const { postback, ofBid, decision } of decided) {
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
    await storePostbacks(clickhouse, isDoubtful ? await withRepeated(clickhouse, rows) : rows);
  } catch (error) {
    // The batch is decided again.
    for (const companyId of admitted) unknown.giveBack(companyId);
    throw error;
  }
  return {
    decided: [
      ...postbacks.flatMap(({ id, mmp }) => {
        const outcomes = known.get(id);
        return outcomes ? [{ id, mmp, ...outcomes }] : [];
      }),
      ...rows.map((row) => ({ id: row.id, mmp: row.mmp, outcome: row.outcome, ofPostback: rowOutcome(row) })),
      ...all
        .filter(isErased)
        .map(({ id, mmp }) => ({ id, mmp, outcome: 'erased' as const, ofPostback: 'erased' as const })),
    ],
    undecided,
  };
}

/**
 * The results of `decide`, in the order of the postbacks: postbacks of one bid one after another, since one may repeat or reject
 * another; postbacks of different bids concurrently.
 */
async function inOrderOfBids<Result>(
  read: readonly VerifiedPostback[],
  decide: (postback: VerifiedPostback) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = Array.from({ length: read.length });
  const limit = pLimit(AT_ONCE);
  const indexesOf = groupBy([...read.keys()], (index) => read[index]!.ref?.bidId ?? read[index]!.id);
  const ends = await Promise.allSettled(
    [...indexesOf.values()].map((indexes) =>
      limit(async () => {
        for (const index of indexes) results[index] = await decide(read[index]!);
      }),
    ),
  );
  // All decisions have ended, so none records anything while the batch is decided again.
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
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
  const id = inApp?.id ?? ref.bidId;
  const rejected = countedKindsOf(ref, inApp);
  return ofBid.some(({ kind, bidId }) => rejected.includes(kind) && bidId === id) ? null : REJECTED_AFTER_MS;
}

/** The kinds of counted events that a rejection is about. */
function countedKindsOf({ reEngagement }: BidRef, inApp: VerifiedPostback['inApp']): readonly EventKind[] {
  if (!reEngagement) return [inApp ? 'app_event' : 'install'];
  return inApp && !inApp.returned ? ['reengaged_event'] : ['reattribution', 'reinstall'];
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
 * The rows of a batch of which an earlier try may have recorded events. A `duplicate` whose install or event no stored postback
 * counted was counted by that try, so its outcome becomes `stored`.
 */
async function withRepeated(
  clickhouse: ClickHouse,
  rows: readonly PostbackRow[],
): Promise<readonly PostbackRow[]> {
  const repeated = rows.filter(({ outcome }) => outcome === 'duplicate');
  if (repeated.length === 0) return rows;
  const [clickIds, eventIds] = await Promise.all([
    countedClickIds(
      clickhouse,
      repeated.filter(({ event }) => !event),
    ),
    countedEventIds(clickhouse, repeated),
  ]);
  const counted = new Set([...clickIds, ...eventIds]);
  for (const row of rows) if (row.outcome === 'stored') counted.add(countedKey(row));
  return rows.map((row) => {
    const key = countedKey(row);
    if (row.outcome !== 'duplicate' || counted.has(key)) return row;
    counted.add(key);
    return { ...row, outcome: 'stored' as const };
  });
}

/** The key of the event that a postback counts: its in-app event, otherwise the install of its click. */
function countedKey({ event, clickId }: PostbackRow): string {
  return event?.id ?? clickId;
}

/** Postbacks with an unknown click of one company whose parameters are stored in a minute. */
const STORED_EACH_MAX = 100;
const MINUTE_MS = 60_000;
/** Companies that are counted apart. */
const COMPANIES_MAX = 10_000;

/**
 * Bounds the storage of postbacks that name no click of their company: each minute, the parameters of some postbacks of each company
 * are stored as examples, and the others are stored as a count. Postbacks that name a click or an app of the company are stored
 * whole.
 */
export class UnknownParameters {
  #minute = 0;
  readonly #storedOf = new Map<string, number>();

  /** Whether the parameters of another such postback are stored. */
  admit(companyId: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#storedOf.clear();
    this.#minute = minute;
    const stored = this.#storedOf.get(companyId) ?? 0;
    if (stored >= STORED_EACH_MAX || (stored === 0 && this.#storedOf.size >= COMPANIES_MAX)) return false;
    this.#storedOf.set(companyId, stored + 1);
    return true;
  }

  /** Takes back an {@link admit} whose parameters could not be stored. */
  giveBack(companyId: string): void {
    const stored = this.#storedOf.get(companyId);
    if (stored !== undefined && stored > 0) this.#storedOf.set(companyId, stored - 1);
  }
}
