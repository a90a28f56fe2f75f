import type { Micros } from '@bidwell/contract/lib/money';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';

/** Notices of one exchange whose price could not be read, for one reason. */
export interface UnpricedRow {
  ssp: string;
  reason: string;
  notices: number;
  chargedMicros: Micros;
  bidMicros: Micros;
  lastAtMs: number;
  /** The price of the last of them that had one; '' for none. */
  example: string;
}

const ROWS_MAX = 1000;

/**
 * Counts such notices since an instant, highest count first, for all companies. Earlier releases stored `free` as the fault of a
 * price of 0, which could be read.
 */
export async function unpricedSince(
  clickhouse: ClickHouse,
  sinceMs: number,
): Promise<readonly UnpricedRow[]> {
  return clickhouse.query<UnpricedRow>(
    `select exchange as ssp, price_fault as reason, count() as notices, sum(spend_micros - margin_micros) as chargedMicros,
       intDiv(sum(bid_cpm_micros), 1000) as bidMicros, toUnixTimestamp64Milli(max(time)) as lastAtMs,
       argMaxIf(price_text, time, price_text != '') as example
     from events
     where time >= {since:DateTime64(3, 'UTC')} and price_fault not in ('', 'free') and test = 0
     group by ssp, reason order by notices desc, ssp, reason limit {rows:UInt32}`,
    { since: clickhouseTime(sinceMs), rows: ROWS_MAX },
  );
}
