import type { Candidate } from '../model/candidate.ts';
import type { ParsedDevice } from '../model/bid-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { deviceTimeOf } from '../matching/hours-stage.ts';
import { type ClockShare, DeviceClocks } from './open-hours.ts';
import { QUARTERS } from './pace.ts';
import { type Database, json } from '../../platform/postgres/client.ts';
import { sql } from 'kysely';
import { appendTo } from '../../platform/group-by.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Offers in each quarter hour of a UTC day; null for quarter hours that no process counted. */
export type DayOfOffers = readonly (number | null)[];

/** Weight of the fallback distribution, in offers. */
const PRIOR_OFFERS = 500;
/** Weight of a day relative to the day after it. */
const YESTERDAY = 0.7;

export const FLAT: readonly number[] = Array.from({ length: QUARTERS }, () => 1 / QUARTERS);

/**
 * Distribution of traffic over a day: shares by quarter hour that sum to 1. `days` are newest first; older ones weigh
 * less. Quarters without counts are taken from `fallback`, and the fewer offers there are the more it weighs.
 */
export function learnTrafficProfile(days: readonly DayOfOffers[], fallback: readonly number[]): number[] {
  const sums = FLAT.map(() => 0);
  const weights = FLAT.map(() => 0);
  let offers = 0;
  days.forEach((day, age) => {
    const weight = YESTERDAY ** age;
    day.forEach((count, quarter) => {
      if (count === null) return;
      sums[quarter]! += count * weight;
      weights[quarter]! += weight;
      offers += count;
    });
  });
  const means = sums.map((sum, quarter) => (weights[quarter]! > 0 ? sum / weights[quarter]! : null));
  const smooth = means.map((mean, quarter) => (mean === null ? null : neighbours(means, quarter, mean)));
  const known = sum(smooth.map((mean) => mean ?? 0));
  const covered = sum(fallback.filter((_part, quarter) => smooth[quarter] !== null));
  if (known <= 0 || covered <= 0) return [...fallback];
  const trust = offers / (offers + PRIOR_OFFERS);
  return smooth.map((mean, quarter) => {
    const prior = fallback[quarter]!;
    return mean === null ? prior : (trust * mean * covered) / known + (1 - trust) * prior;
  });
}

/** Moving average: a quarter hour, and its neighbours at half its weight. */
function neighbours(means: readonly (number | null)[], quarter: number, mean: number): number {
  const before = means.at(quarter - 1) ?? mean;
  const after = means[(quarter + 1) % QUARTERS] ?? mean;
  return (before + 2 * mean + after) / 4;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Distribution of traffic over the day, learned from previous days. */
export interface Traffic {
  /** Counts a bid request of a device, and its clock where an ad set of the snapshot is paced by it. */
  count(device: ParsedDevice, snapshot: Pick<Snapshot, 'countsClocks'>): void;
  /** Counts a bid request that no ad set can bid on. */
  countUnwanted(): void;
  /** The clocks of the devices that an ad set reaches; empty while they are not known. */
  clocksOf(adset: Pick<Candidate, 'countries' | 'timeZone'>): readonly ClockShare[];
  /**
   * Distribution of the traffic that an ad set matches: its own, else the distribution of all traffic, else
   * uniform.
   */
  profileOf(adsetId: string): readonly number[];
  /** Stores the bid requests counted since the last call, and the offers of each ad set. */
  store(offers: readonly { adsetId: string; offers: number }[]): Promise<void>;
  /** Recomputes the distributions from the counts of all bidders. */
  learn(): Promise<void>;
}

export function createTraffic(db: Database): Traffic {
  let requests = 0;
  let all: readonly number[] = FLAT;
  let profiles = new Map<string, readonly number[]>();
  const clocks = new DeviceClocks();
  let agedAtMs = performance.now();
  return {
    count(device, { countsClocks }) {
      requests += 1;
      if (countsClocks) clocks.count(deviceTimeOf(device));
    },
    countUnwanted: () => void (requests += 1),
    clocksOf: ({ countries, timeZone }) => clocks.of(countries, timeZone),
    profileOf: (adsetId) => profiles.get(adsetId) ?? all,
    async store(offers) {
      const counted = requests;
      requests = 0;
      await addOffers(db, [{ adsetId: ALL_TRAFFIC, offers: counted }, ...offers]);
    },
    async learn() {
      const nowMs = performance.now();
      clocks.age(nowMs - agedAtMs);
      agedAtMs = nowMs;
      const days = await readOffers(db);
      all = learnTrafficProfile(days.get(ALL_TRAFFIC) ?? [], FLAT);
      profiles = new Map([...days].map(([adsetId, own]) => [adsetId, learnTrafficProfile(own, all)]));
    },
  };
}

/** Counts of all bid requests are stored under this id, in place of an ad set's. */
const ALL_TRAFFIC = '00000000-0000-0000-0000-000000000000';

/** Days of counts that distributions are learned from; older ones are deleted. */
const DAYS = 7;

/** Adds offers to the current quarter hour, by the database's clock. A count of 0 marks the quarter as observed. */
export async function addOffers(
  db: Db,
  counts: readonly { adsetId: string; offers: number }[],
): Promise<void> {
  const rows = json(counts.map(({ adsetId, offers }) => ({ adset: adsetId, offers })));
  await sql`
    with clock as (
      select at::date as day, (extract(hour from at) * 4 + floor(extract(minute from at) / 15))::int + 1 as quarter
      from (select clock_timestamp() at time zone 'UTC' as at) as t
    )
    insert into traffic_offers as t (adset_uuid, day, offers)
    select
      c.adset, clock.day,
      array_fill(null::bigint, array[clock.quarter - 1]) || c.offers ||
        array_fill(null::bigint, array[${QUARTERS}::int - clock.quarter])
    from clock cross join jsonb_to_recordset(${rows}::jsonb) as c (adset uuid, offers bigint)
    order by c.adset
    on conflict (adset_uuid, day) do update
    set offers[(select quarter from clock)] =
      coalesce(t.offers[(select quarter from clock)], 0) + excluded.offers[(select quarter from clock)]`.execute(
    db,
  );
}

/** Offers by ad set and of all traffic on past days, newest day first, without today. Deletes older days. */
export async function readOffers(db: Db): Promise<Map<string, DayOfOffers[]>> {
  await sql`
    delete from traffic_offers
    where day < (clock_timestamp() at time zone 'UTC')::date - ${DAYS}::int`.execute(db);
  const { rows } = await sql<{ adsetId: string; offers: (number | null)[] }>`
    select adset_uuid as "adsetId", to_jsonb(offers) as offers from traffic_offers
    where day < (clock_timestamp() at time zone 'UTC')::date
    order by day desc`.execute(db);
  const days = new Map<string, DayOfOffers[]>();
  for (const { adsetId, offers } of rows) appendTo(days, adsetId, offers);
  return days;
}
