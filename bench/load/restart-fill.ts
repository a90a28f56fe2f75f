/** Fills the event database of the restart bench, in a separate process so that its memory is not the server's. */
import { openClickHouse } from '@bidwell/server/platform/clickhouse/open';

const DAYS = 7;
const RECENT_MS = 2 * 3_600_000;
/** Share of all events in percent that belong to bids of the last two hours, as on the busiest day. */
const RECENT_SHARE = 10;
const CHUNK = 1_500_000;
const EVENTS_OF_BID = 3;

const [dataDir = '', events = '0', nowText = '0'] = process.argv.slice(2);
const clickhouse = await openClickHouse({ dataDir });
const count = Number(events);
const nowMs = Number(nowText);
const recent = Math.round((count * RECENT_SHARE) / 100);
await fill(0, count - recent, nowMs - DAYS * 86_400_000, nowMs - RECENT_MS);
await fill(count - recent, recent, nowMs - RECENT_MS, nowMs);
// Merge the parts, as in a table that was filled over a week.
await clickhouse.command('optimize table events final');
await clickhouse.close();
process.exit();

/** Inserts events numbered from `first`, spread evenly over a period, in chronological order. */
async function fill(first: number, many: number, fromMs: number, beforeMs: number): Promise<void> {
  for (let done = 0; done < many; done += CHUNK) {
    const size = Math.min(CHUNK, many - done);
    const atMs = fromMs + ((beforeMs - fromMs) * done) / many;
    const stepMs = (beforeMs - fromMs) / many;
    await clickhouse.command(insertSql(first + done, size, atMs, stepMs));
    console.log(`${((first + done + size) / 1_000_000).toFixed(1)} million events`);
  }
}

/** SQL for a UUID derived from a hash. */
function id(what: string, number: string): string {
  return `reinterpretAsUUID(toUInt128(cityHash64('${what}', toUInt32(${number}))) * toUInt128('295147905179352825857'))`;
}

/**
 * Three events per bid: win, billing notice and impression; one event in a hundred is a click, one in 2,000 an install.
 * A hundred companies, 3,000 ad sets, publishers with skewed shares; the bid's id is a UUIDv7 of its time.
 */
function insertSql(first: number, size: number, fromMs: number, stepMs: number): string {
  return `
    insert into events
      (time, kind, bid_id, company_id, app_id, campaign_id, adset_id, creative_id, creative_group_id, creative_type,
       creative_width, creative_height, creative_duration_ms, exchange, bundle, os, country, language, spend_micros,
       bid_cpm_micros, loss_reason, test, batch, seq)
    with
      intDiv(number, ${EVENTS_OF_BID}) as bid,
      cityHash64(bid, 1) as h1, cityHash64(bid, 2) as h2, cityHash64(bid, 3) as h3,
      toUInt64(${Math.floor(fromMs)} + (bid * ${EVENTS_OF_BID} - ${first}) * ${stepMs}) as bid_ms,
      leftPad(lower(hex(bid_ms)), 12, '0') as ms_hex,
      leftPad(lower(hex(h1)), 16, '0') as hex1,
      leftPad(lower(hex(h2)), 16, '0') as hex2,
      toUInt32(3000 * pow((h1 % 10000) / 10000, 2)) as adset,
      toUInt32(2000 * pow((h2 % 100000) / 100000, 4)) as publisher,
      cityHash64(number, 4) % 2000 as chance
    select
      fromUnixTimestamp64Milli(toInt64(bid_ms + 1000), 'UTC') as time,
      multiIf(chance = 0, 'install', chance < 21, 'click',
        ['win', 'billing', 'impression'][1 + number % ${EVENTS_OF_BID}]) as kind,
      toUUID(concat(
        substring(ms_hex, 1, 8), '-', substring(ms_hex, 9, 4), '-7', substring(hex1, 1, 3), '-8',
        substring(hex1, 4, 3), '-', substring(hex2, 1, 12)
      )) as bid_id,
      ${id('company', 'adset % 100')} as company_id,
      ${id('app', 'adset % 300')} as app_id,
      ${id('campaign', 'adset % 1000')} as campaign_id,
      ${id('adset', 'adset')} as adset_id,
      ${id('creative', 'adset * 4 + h3 % 4')} as creative_id,
      ${id('group', 'adset')} as creative_group_id,
      'Banner', 320, 50, 0,
      ['adx', 'alpha', 'beta', 'gamma'][1 + publisher % 4] as exchange,
      concat('com.publisher.app', toString(publisher)) as bundle,
      'android', ['US', 'IN', 'BR', 'DE', 'FR'][1 + adset % 5] as country, 'en',
      if(kind = 'billing', 500 + h3 % 9500, 0) as spend_micros,
      4000000, 0, 0, toUUID('00000000-0000-0000-0000-000000000000'), 0
    from numbers(${first}, ${size})
    settings max_threads = 2, max_insert_threads = 1, max_insert_block_size = 750000,
      min_insert_block_size_rows = 750000, min_insert_block_size_bytes = 0`;
}
