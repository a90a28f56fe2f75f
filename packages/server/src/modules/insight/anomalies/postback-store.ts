import type { Mmp } from '@bidwell/contract/apps/schema';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';

/** The postbacks of a measurement partner in a period. */
export interface PartnerActivity {
  mmp: Mmp;
  count: number;
  /** Of the last one, Unix ms. */
  lastAtMs: number;
}

/** The postbacks of a company by measurement partner in a period, without test traffic. */
export async function postbacksByPartner(
  clickhouse: ClickHouse,
  companyId: string,
  { fromMs, beforeMs }: { fromMs: number; beforeMs: number },
): Promise<readonly PartnerActivity[]> {
  return clickhouse.query<PartnerActivity>(
    `select mmp, count() as count, max(toUnixTimestamp64Milli(time)) as lastAtMs
     from postbacks where company_id = {company:UUID} and test = 0
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by mmp order by mmp`,
    { company: companyId, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
  );
}
