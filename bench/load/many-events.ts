import type { ClickHouse } from '@bidwell/server/platform/clickhouse/client';

/** Size of the generated event history. */
export interface History {
  events: number;
  companies: number;
  days: number;
  /** End of the history in Unix ms, at midnight UTC. */
  endMs: number;
}

/** Share of all events in percent; the rest is spread evenly over the other companies. */
const LARGEST_SHARE = 40;
const CHUNK = 2_000_000;

const id = (what: string, ...parts: string[]) =>
  `reinterpretAsUUID(toUInt128(cityHash64('${what}', ${parts.map((part) => `toUInt32(${part})`).join(', ')})) * toUInt128('295147905179352825857'))`;

/**
 * Fills the table `events` inside the engine, in chronological order. The largest company has 40 campaigns, the others 10,
 * each of three ad sets with six creatives; an ad set buys in five countries on four exchanges, and 3,000 publishers have a
 * skewed share of the traffic. Each install has two events in the app on average, most of them in its first days: 1 % of all events.
 */
export async function addHistory(clickhouse: ClickHouse, history: History): Promise<void> {
  for (let from = 0; from < history.events; from += CHUNK) {
    const count = Math.min(CHUNK, history.events - from);
    await clickhouse.command(insertSql(history, from, count));
    await clickhouse.command(inAppSql(history, from, count));
  }
}

/** The id of the company with the most events. */
export async function largestCompany(clickhouse: ClickHouse): Promise<string> {
  const [row] = await clickhouse.query<{ company: string }>(
    `select toString(${id('company', '0')}) as company`,
  );
  return row!.company;
}

function insertSql({ events, companies, days, endMs }: History, from: number, count: number): string {
  const startS = endMs / 1000 - days * 86_400;
  return `
    insert into events (time, kind, bid_id, company_id, app_id, campaign_id, adset_id, creative_id, creative_group_id,
      creative_type, creative_width, creative_height, creative_duration_ms, exchange, bundle, os, country, language,
      spend_micros, bid_cpm_micros, loss_reason, test, batch, seq, mark, has_stored_at)
    with
      cityHash64(number, 1) as h1, cityHash64(number, 2) as h2, cityHash64(number, 3) as h3,
      if(h1 % 100 < ${LARGEST_SHARE}, 0, 1 + intDiv(h1, 100) % ${companies - 1}) as company,
      if(company = 0, 40, 10) as campaigns,
      toUInt32(campaigns * pow((h2 % 1000) / 1000, 2)) as campaign,
      campaign * 3 + intDiv(h2, 1000) % 3 as adset,
      intDiv(h2, 3000) % 6 as creative,
      h3 % 1000 as chance,
      1 + creative % 4 as kind_of_creative
    select
      toDateTime64(${startS} + number * ${(days * 86_400) / events}, 3, 'UTC') as time,
      multiIf(chance < 300, 'impression', chance < 600, 'billing', chance < 850, 'win', chance < 960, 'loss',
        chance < 995, 'click', 'install') as kind,
      -- The server remembers bids by the day that their id holds.
      dateTimeToUUIDv7(toDateTime(time)) as bid_id,
      ${id('company', 'company')} as company_id,
      ${id('app', 'company', 'campaign % 10')} as app_id,
      ${id('campaign', 'company', 'campaign')} as campaign_id,
      ${id('adset', 'company', 'adset')} as adset_id,
      ${id('creative', 'company', 'adset', 'creative')} as creative_id,
      ${id('group', 'company', 'adset')} as creative_group_id,
      ['Banner', 'Video', 'Native', 'Playable'][kind_of_creative] as creative_type,
      [320, 300, 320, 728][kind_of_creative] as creative_width,
      [50, 250, 480, 90][kind_of_creative] as creative_height,
      if(kind_of_creative = 2, 15000, 0) as creative_duration_ms,
      ['adx', 'alpha', 'beta', 'gamma'][1 + intDiv(h2, 18000) % 4] as exchange,
      concat('com.publisher.app', toString(toUInt32(3000 * pow((intDiv(h3, 1000) % 100000) / 100000, 3)))) as bundle,
      if(campaign % 10 < 6, 'android', 'ios') as os,
      ['US', 'IN', 'BR', 'DE', 'FR', 'GB', 'JP', 'KR', 'ID', 'MX', 'TR', 'VN', 'PL', 'ES', 'IT']
        [1 + (adset + intDiv(h2, 72000) % 5) % 15] as country,
      'en' as language,
      if(kind = 'billing', 500 + intDiv(h3, 100000000) % 9500, 0) as spend_micros,
      4000000 as bid_cpm_micros,
      0 as loss_reason,
      0 as test,
      toUUID('00000000-0000-0000-0000-000000000000') as batch,
      0 as seq,
      '' as mark,
      1 as has_stored_at
    from numbers(${from}, ${count})
    settings max_threads = 2, max_insert_threads = 1, max_insert_block_size = 1000000,
      min_insert_block_size_rows = 1000000, min_insert_block_size_bytes = 0`;
}

/** Events in the app of the installs of a chunk, in the ninety days after them. */
function inAppSql({ events, days, endMs }: History, from: number, count: number): string {
  const startS = endMs / 1000 - days * 86_400;
  const at = (event: number) => `toDateTime64(${startS} + ${event} * ${(days * 86_400) / events}, 3, 'UTC')`;
  const copied = `company_id, app_id, campaign_id, adset_id, creative_id, creative_group_id, creative_type, creative_width,
      creative_height, creative_duration_ms, exchange, bundle, os, country, language`;
  return `
    insert into events (time, kind, bid_id, click_bid_id, ${copied}, batch, event_name, event_at, revenue_micros, revenue_known,
      has_stored_at)
    with cityHash64(bid_id, n) as h
    select
      install.time + toIntervalSecond(toUInt32(90 * 86400 * pow((h % 100000) / 100000, 4))) as at,
      'app_event',
      generateUUIDv4(n),
      bid_id,
      ${copied},
      toUUID('00000000-0000-0000-0000-000000000000'),
      if(h % 3 = 0, 'purchase', 'open'),
      at,
      if(h % 3 = 0, 990000 + intDiv(h, 1000) % 9000000, 0),
      1,
      1
    from events as install
    array join range(cityHash64(bid_id) % 5) as n
    where kind = 'install' and time >= ${at(from)} and time < ${at(from + count)} and at < toDateTime64(${endMs / 1000}, 3, 'UTC')
    settings max_threads = 2, max_insert_threads = 1, optimize_use_projections = 0`;
}
