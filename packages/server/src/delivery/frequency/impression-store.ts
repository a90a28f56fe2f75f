import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { Digest } from '../model/frequency.ts';
import type { CappedOutcome } from './frequency-caps.ts';

/** Bytes of a row: the ids of the bid, the ad set and the campaign, the key, and the time. */
const ROW_BYTES = 3 * 16 + 2 * 8;

/**
 * Streams the charged impressions of bids of ad sets with frequency caps since an instant, oldest first, the latest `max` of them. Works
 * across companies, since a bidder's counts do.
 */
export async function readImpressions(
  clickhouse: ClickHouse,
  { sinceMs, max }: { sinceMs: number; max: number },
  add: (outcome: CappedOutcome) => void,
): Promise<void> {
  const chunks = clickhouse.stream(
    `select bid_id, adset_id, campaign_id, person_key, toInt64(toUnixTimestamp64Milli(time)) as at from (
       select bid_id, adset_id, campaign_id, person_key, time from events
       where person_key != 0 and time >= {since:DateTime64(3, 'UTC')} and test = 0 and spend_micros > 0 and top_up = 0
       order by time desc limit {max:UInt32}
     ) order by at`,
    { since: clickhouseTime(sinceMs), max },
    'RowBinary',
  );
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    const end = rest.length - (rest.length % ROW_BYTES);
    for (let at = 0; at < end; at += ROW_BYTES) add(impressionAt(rest, at));
    rest = rest.subarray(end);
  }
}

function impressionAt(bytes: Buffer, at: number): CappedOutcome {
  return {
    bid: uuidDigest(bytes, at),
    adsetSubject: uuidDigest(bytes, at + 16),
    campaignSubject: uuidDigest(bytes, at + 32),
    person: { high: bytes.readUInt32LE(at + 52), low: bytes.readUInt32LE(at + 48) },
    isImpression: true,
    atMs: Number(bytes.readBigInt64LE(at + 56)),
  };
}

/** The digest of a UUID in ClickHouse's binary form, two halves with the low byte first: as `subjectOf` has it of the text. */
function uuidDigest(bytes: Buffer, at: number): Digest {
  const word = (offset: number): number => bytes.readUInt32LE(at + offset);
  return { high: (word(4) ^ word(12)) >>> 0, low: (word(0) ^ word(8)) >>> 0 };
}
