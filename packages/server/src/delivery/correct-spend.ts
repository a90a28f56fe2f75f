import { dateAt } from '@bidwell/contract/lib/calendar';
import type { Micros } from '@bidwell/contract/lib/money';
import { addToSum } from '../platform/group-by.ts';
import { transact } from '../platform/postgres/transaction.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import {
  type SpendOfCampaign,
  countrySpendSince,
  spendByCampaign,
  spendSince,
  spendOfAllTime,
} from './event-store/event-store.ts';
import type { SharedIntake } from './event-log/shared-intake.ts';
import { dayAt } from './pacing/pace.ts';
import {
  type AdsetOwner,
  type BookedAdset,
  type BookedPosition,
  type Excess,
  type PostedCampaign,
  arePositionsStored,
  bookedAdsets,
  bookedPositions,
  lowerSpend,
  ownersOf,
  postedOfCompany,
} from './pacing/spend-correction-store.ts';
import type { SnapshotService } from './snapshot/service.ts';
import { bookedSpend, countrySpends, raiseCountrySpend, raiseSpend } from './pacing/lease-store.ts';
import { accountKey } from './pacing/leases.ts';

const HOUR_MS = 3_600_000;
const TWO_DAYS_MS = 48 * HOUR_MS;

/** Dependencies of {@link createSpendCorrector}. */
export interface CorrectorDeps {
  now: () => Date;
  booked(): Promise<ReadonlyMap<string, BookedAdset>>;
  positions(): Promise<readonly BookedPosition[]>;
  arePositionsStored(positions: readonly BookedPosition[]): Promise<boolean>;
  /** As of `SharedIntake`. */
  countedByAllMs(): Promise<number>;
  /** Spend of the stored events by ad set and campaign. Rejects where that may be too little. */
  stored(): Promise<readonly SpendOfCampaign[]>;
  /** The part of it in the current days of the companies, by ad set. */
  storedToday(adsetIds: readonly string[]): Promise<ReadonlyMap<string, Micros>>;
  owners(adsetIds: readonly string[]): Promise<readonly AdsetOwner[]>;
  /** Spend that the ledger has ever posted for each campaign of a company. */
  posted(companyId: string): Promise<readonly PostedCampaign[]>;
  lower(excesses: readonly Excess[], owners: ReadonlyMap<string, AdsetOwner>): Promise<void>;
}

/** The booked spend at an instant. */
interface Snapshot {
  /** Unix ms; all of it was booked before. */
  atMs: number;
  booked: ReadonlyMap<string, BookedAdset>;
  positions: readonly BookedPosition[];
  /** Whether all of it is stored, or never will be. */
  isSettled: boolean;
}

/**
 * Lowers booked spend whose events are not stored and never will be: booked twice, or lost after the booking. Each call takes
 * one step: it reads the booked spend; checks whether all of it is counted, so that events in flight are never taken for lost;
 * and, a call later, so that replicas of ClickHouse have caught up, compares it with the stored spend. Spend that is booked
 * meanwhile only makes the difference smaller.
 *
 * The ad sets of a company are left alone where the ledger has posted nothing, or more of any of its campaigns than is stored:
 * events have been deleted after the retention, or ClickHouse has lost them, and nothing tells in which campaigns an ad set was
 * then.
 */
export function createSpendCorrector(deps: CorrectorDeps): () => Promise<void> {
  let snapshot: Snapshot | null = null;
  const nowMs = () => deps.now().getTime();

  async function read(): Promise<Snapshot> {
    // Positions after amounts: they have to cover all that the amounts contain.
    const booked = await deps.booked();
    const positions = await deps.positions();
    return { atMs: nowMs(), booked, positions, isSettled: false };
  }

  async function compare({ booked }: Snapshot): Promise<void> {
    const first = sumsOf(await deps.stored());
    const above = [...booked].filter(([id, { everMicros }]) => everMicros > (first.byAdset.get(id) ?? 0));
    if (above.length === 0) return;
    const owners = new Map<string, AdsetOwner>();
    for (const ids of chunksOf(above.map(([id]) => id)))
      for (const owner of await deps.owners(ids)) owners.set(owner.adsetId, owner);
    const posted = new Map<string, readonly PostedCampaign[]>();
    for (const companyId of new Set([...owners.values()].map((owner) => owner.companyId)))
      posted.set(companyId, await deps.posted(companyId));
    // Read again, because the ledger may have posted spend that was stored after the first read.
    const sums = sumsOf(await deps.stored());
    const isComplete = (campaigns: readonly PostedCampaign[]) =>
      // Without any posted spend nothing shows whether events are missing.
      campaigns.length > 0 &&
      campaigns.every(({ campaignId, micros }) => (sums.byCampaign.get(campaignId) ?? 0) >= micros);
    const companies = new Set([...posted].filter(([, all]) => isComplete(all)).map(([id]) => id));
    const complete = above.filter(([id]) => companies.has(owners.get(id)?.companyId ?? ''));
    for (const adsets of chunksOf(complete)) {
      const today = await deps.storedToday(adsets.map(([id]) => id));
      const excesses = adsets
        .map(([id, one]) => excessOf(id, one, sums.byAdset.get(id) ?? 0, today.get(id) ?? 0))
        .filter(({ micros }) => micros > 0);
      if (excesses.length > 0) await deps.lower(excesses, owners);
    }
  }

  return async () => {
    // One that does not settle may be of a stream that has been counted anew since.
    if (snapshot === null || (!snapshot.isSettled && nowMs() - snapshot.atMs > HOUR_MS)) {
      snapshot = await read();
    } else if (!snapshot.isSettled) {
      snapshot.isSettled =
        (await deps.countedByAllMs()) >= snapshot.atMs && (await deps.arePositionsStored(snapshot.positions));
    } else {
      await compare(snapshot);
      snapshot = await read();
    }
  };
}

/** Stored spend by ad set and by campaign. */
interface StoredSums {
  byAdset: Map<string, Micros>;
  byCampaign: Map<string, Micros>;
}

function sumsOf(stored: readonly SpendOfCampaign[]): StoredSums {
  const sums: StoredSums = { byAdset: new Map(), byCampaign: new Map() };
  for (const { adsetId, campaignId, spentMicros } of stored) {
    addToSum(sums.byAdset, adsetId, spentMicros);
    addToSum(sums.byCampaign, campaignId, spentMicros);
  }
  return sums;
}

function excessOf(
  adsetId: string,
  { everMicros, day, dayMicros }: BookedAdset,
  storedMicros: Micros,
  storedTodayMicros: Micros,
): Excess {
  const micros = everMicros - storedMicros;
  const ofDay = Math.max(0, dayMicros - storedTodayMicros);
  return { adsetId, micros, day, dayMicros: Math.min(micros, ofDay), storedMicros };
}

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += ADSETS_AT_ONCE) yield all.slice(from, from + ADSETS_AT_ONCE);
}

/** Dependencies of {@link spendCorrector}. */
type CorrectorContext = Pick<DeliveryDeps, 'db' | 'clickhouse' | 'log' | 'now' | 'recordCorrections'> & {
  intake: Pick<SharedIntake, 'countedByAllMs'>;
};

/** {@link createSpendCorrector} with the databases. */
export function spendCorrector(
  { db, clickhouse, intake, log, now, recordCorrections }: CorrectorContext,
  snapshot: Pick<SnapshotService, 'timeZone'>,
): () => Promise<void> {
  return createSpendCorrector({
    now,
    booked: () => bookedAdsets(db),
    positions: () => bookedPositions(db),
    arePositionsStored: (positions) => arePositionsStored(db, positions),
    countedByAllMs: () => intake.countedByAllMs(),
    stored: () => spendByCampaign(clickhouse),
    storedToday: (adsetIds) => storedToday({ clickhouse, now }, snapshot, adsetIds),
    owners: (adsetIds) => ownersOf(db, adsetIds),
    posted: (companyId) => postedOfCompany(db, companyId),
    lower: async (excesses, owners) =>
      transact(db, async (tx) => {
        const corrections = (await lowerSpend(tx.db, excesses)).map((lowered) => ({
          ...lowered,
          ...owners.get(lowered.adsetId)!,
        }));
        await recordCorrections(tx, corrections);
        if (corrections.length > 0)
          log.warn(
            { adsets: corrections.length },
            'booked spend was above the stored events and has been lowered',
          );
      }),
  });
}

/** Stored spend of ad sets in the current days of their companies. */
async function storedToday(
  { clickhouse, now }: Pick<DeliveryDeps, 'clickhouse' | 'now'>,
  snapshot: Pick<SnapshotService, 'timeZone'>,
  adsetIds: readonly string[],
): Promise<Map<string, Micros>> {
  const nowMs = now().getTime();
  const today = new Map<string, Micros>();
  for (const slice of await spendSince(clickhouse, nowMs - TWO_DAYS_MS, adsetIds)) {
    if (slice.quarterMs < dayAt(nowMs, snapshot.timeZone(slice.companyId)).startMs) continue;
    addToSum(today, slice.adsetId, slice.spentMicros);
  }
  return today;
}

/** Ad sets per transaction and query. */
const ADSETS_AT_ONCE = 1000;

/** Books spend of stored events that is not booked: after an upgrade, a restored backup, or a failover that lost bookings. */
export async function reconcileBookedSpend(deps: DeliveryDeps, snapshot: SnapshotService): Promise<void> {
  const { db, clickhouse, now } = deps;
  const booked = await bookedSpend(db);
  const missing = (await spendOfAllTime(clickhouse)).filter(
    ({ adsetId, spentMicros }) => (booked.get(adsetId) ?? 0) < spentMicros,
  );
  for (let from = 0; from < missing.length; from += ADSETS_AT_ONCE) {
    const adsets = missing.slice(from, from + ADSETS_AT_ONCE);
    const ids = adsets.map(({ adsetId }) => adsetId);
    const today = await storedToday({ clickhouse, now }, snapshot, ids);
    await raiseSpend(
      db,
      adsets.map(({ adsetId, companyId, spentMicros }) => ({
        adsetId,
        companyId,
        micros: spentMicros,
        dayMicros: today.get(adsetId) ?? 0,
      })),
    );
  }
  await reconcileCountries(deps, snapshot, null);
}

/** How long after it began, earlier spend of its day is added to the daily budget of a country: until all of it is stored. */
const NEW_COUNTRY_MS = 600_000;

/** Adds what was spent earlier in the day to daily budgets of countries that are new. */
export async function reconcileNewCountries(
  deps: Pick<DeliveryDeps, 'db' | 'clickhouse' | 'now'>,
  snapshot: Pick<SnapshotService, 'timeZone'>,
): Promise<void> {
  await reconcileCountries(deps, snapshot, NEW_COUNTRY_MS);
}

/** Raises the spend of daily budgets of countries to the stored events of the day; with `youngerMs` of new ones alone. */
async function reconcileCountries(
  { db, clickhouse, now }: Pick<DeliveryDeps, 'db' | 'clickhouse' | 'now'>,
  snapshot: Pick<SnapshotService, 'timeZone'>,
  youngerMs: number | null,
): Promise<void> {
  const accounts = await countrySpends(db, youngerMs);
  for (const some of chunksOf(accounts)) {
    const nowMs = now().getTime();
    const zoneOf = (companyId: string) => snapshot.timeZone(companyId);
    const stored = new Map<string, Micros>();
    const slices = await countrySpendSince(clickhouse, nowMs - TWO_DAYS_MS, {
      companyIds: [...new Set(some.map(({ companyId }) => companyId))],
      adsetIds: [...new Set(some.map(({ adsetId }) => adsetId))],
    });
    for (const slice of slices)
      if (slice.quarterMs >= dayAt(nowMs, zoneOf(slice.companyId)).startMs)
        addToSum(stored, accountKey(slice), slice.spentMicros);
    await raiseCountrySpend(
      db,
      some.flatMap((account) => {
        const dayMicros = stored.get(accountKey(account));
        return dayMicros ? [{ ...account, day: dateAt(nowMs, zoneOf(account.companyId)), dayMicros }] : [];
      }),
    );
  }
}
