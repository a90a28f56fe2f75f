import type { Mmp } from '@bidwell/contract/app';
import type { PostbackOutcome } from '@bidwell/contract/postback';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export async function postbackSecretOf(db: Db, companyId: string): Promise<string> {
  const row = await db
    .selectFrom('companies')
    .select('postback_secret')
    .where('uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return row.postback_secret;
}

/** How many postbacks of the last so many days had which outcome. */
export async function outcomeCounts(
  clickhouse: ClickHouse,
  companyId: string,
  days: number,
): Promise<readonly { mmp: Mmp; outcome: PostbackOutcome; count: number }[]> {
  return clickhouse.query(
    `select mmp, outcome, count() as count from postbacks
     where company_id = {companyId:UUID} and time >= now() - toIntervalDay({days:UInt32})
     group by mmp, outcome order by mmp, outcome`,
    { companyId, days },
  );
}

/** The newest postbacks that named no click of the company's. */
export async function unknownPostbacks(
  clickhouse: ClickHouse,
  companyId: string,
  limit: number,
): Promise<readonly { atMs: number; mmp: Mmp; clickId: string; parameters: string }[]> {
  return clickhouse.query(
    `select toUnixTimestamp64Milli(time) as atMs, mmp, click_id as clickId, parameters from postbacks
     where company_id = {companyId:UUID} and outcome = 'unknown_click'
     order by time desc limit {limit:UInt32}`,
    { companyId, limit },
  );
}
