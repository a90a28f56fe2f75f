import { sql } from 'kysely';
import { appendTo } from '../../platform/group-by.ts';
import { json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { QUARTERS } from './pace.ts';
import type { DayOfOffers } from './traffic-profile.ts';

/** Counts of all bid requests are stored under this id, in place of an ad set's. */
export const ALL_TRAFFIC = '00000000-0000-0000-0000-000000000000';

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
