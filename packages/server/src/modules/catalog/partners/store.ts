import type { Mmp } from '@bidwell/contract/apps/schema';
import type { PostbackOutcome, PostbackReason } from '@bidwell/contract/postbacks/schema';
import type { Selectable } from 'kysely';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import type { CompanyTable, PostbackSourceTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type PostbackSecrets = Pick<
  Selectable<CompanyTable>,
  | 'name'
  | 'postback_secret'
  | 'postback_secret_previous'
  | 'postback_secret_previous_until'
  | 'postback_secret_rotated_at'
>;
export type PostbackSourceRow = Pick<Selectable<PostbackSourceTable>, 'mmp' | 'networks' | 'secret'>;

function selectSecrets(db: Db, companyId: string) {
  return db
    .selectFrom('companies')
    .select([
      'name',
      'postback_secret',
      'postback_secret_previous',
      'postback_secret_previous_until',
      'postback_secret_rotated_at',
    ])
    .where('uuid', '=', companyId);
}

/** Postback secrets of a company. */
export async function postbackSecretsOf(db: Db, companyId: string): Promise<PostbackSecrets> {
  return selectSecrets(db, companyId).executeTakeFirstOrThrow();
}

/** Like {@link postbackSecretsOf}, locked until the transaction ends. */
export async function lockPostbackSecrets(db: Db, companyId: string): Promise<PostbackSecrets> {
  return selectSecrets(db, companyId).forUpdate().executeTakeFirstOrThrow();
}

export async function updatePostbackSecrets(
  db: Db,
  companyId: string,
  secrets: Omit<PostbackSecrets, 'name'>,
): Promise<void> {
  await db.updateTable('companies').set(secrets).where('uuid', '=', companyId).execute();
}

/** The company's verification settings by partner; partners without settings are absent. */
export async function listPostbackSources(db: Db, companyId: string): Promise<PostbackSourceRow[]> {
  return db
    .selectFrom('postback_sources')
    .select(['mmp', 'networks', 'secret'])
    .where('company_uuid', '=', companyId)
    .execute();
}

export async function savePostbackSource(
  db: Db,
  companyId: string,
  { mmp, networks, secret }: PostbackSourceRow,
): Promise<void> {
  await db
    .insertInto('postback_sources')
    .values({ company_uuid: companyId, mmp, networks, secret })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'mmp']).doUpdateSet({ networks, secret }))
    .execute();
}

/** Counts the postbacks of the last `days` by partner, outcome and reason. */
export async function outcomeCounts(
  clickhouse: ClickHouse,
  companyId: string,
  days: number,
): Promise<readonly { mmp: Mmp; outcome: PostbackOutcome; reason: PostbackReason; count: number }[]> {
  return clickhouse.query(
    `select mmp, outcome, reason, count() as count from postbacks
     where company_id = {companyId:UUID} and time >= now() - toIntervalDay({days:UInt32})
     group by mmp, outcome, reason order by mmp, outcome, reason`,
    { companyId, days },
  );
}

/** Outcomes listed as unknown: the postback refers to no click or impression of ours, or could not be verified. */
const UNKNOWN_OUTCOMES: readonly PostbackOutcome[] = ['unknown_click', 'no_touchpoint', 'unverified'];

/** The company's newest postbacks with one of {@link UNKNOWN_OUTCOMES}. */
export async function unknownPostbacks(
  clickhouse: ClickHouse,
  companyId: string,
  limit: number,
): Promise<
  readonly { atMs: number; mmp: Mmp; outcome: PostbackOutcome; clickId: string; parameters: string }[]
> {
  return clickhouse.query(
    `select toUnixTimestamp64Milli(time) as atMs, mmp, outcome, click_id as clickId, parameters from postbacks
     where company_id = {companyId:UUID} and outcome in {outcomes:Array(String)}
     order by time desc limit {limit:UInt32}`,
    { companyId, limit, outcomes: UNKNOWN_OUTCOMES },
  );
}
