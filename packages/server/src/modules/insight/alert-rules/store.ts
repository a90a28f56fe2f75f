import type { AlertRuleScope } from '@bidwell/contract/alerts/rules';
import { type Selectable, type Updateable, sql } from 'kysely';
import type { AlertRuleTable } from '../../../platform/postgres/alert-tables.ts';
import { lockCompanyRow } from '../../../platform/postgres/lock-company.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type RuleRow = Selectable<AlertRuleTable>;
/** A rule with the name of what it watches; null for the company, and where it does not exist any more. */
export type NamedRule = RuleRow & { scope_name: string | null };

/** The tables of what a rule can watch. */
const TABLES = { app: 'apps', campaign: 'campaigns', adset: 'adsets' } as const;

const scopeName = sql<string | null>`case r.scope
  when 'app' then (select name from apps where company_uuid = r.company_uuid and uuid = r.scope_uuid)
  when 'campaign' then (select name from campaigns where company_uuid = r.company_uuid and uuid = r.scope_uuid)
  when 'adset' then (select name from adsets where company_uuid = r.company_uuid and uuid = r.scope_uuid) end`.as(
  'scope_name',
);

const namedRules = (db: Db) => db.selectFrom('alert_rules as r').selectAll('r').select(scopeName);

/** The rules of a company, in the order of their creation. */
export async function listRules(db: Db, companyId: string): Promise<NamedRule[]> {
  return namedRules(db)
    .where('r.company_uuid', '=', companyId)
    .orderBy('r.created_at')
    .orderBy('r.uuid')
    .execute();
}

export async function findRule(db: Db, companyId: string, uuid: string): Promise<NamedRule | undefined> {
  return namedRules(db).where('r.company_uuid', '=', companyId).where('r.uuid', '=', uuid).executeTakeFirst();
}

/** A rule, locked until the transaction ends. */
export async function lockRule(db: Db, companyId: string, uuid: string): Promise<NamedRule | undefined> {
  return namedRules(db)
    .where('r.company_uuid', '=', companyId)
    .where('r.uuid', '=', uuid)
    .forUpdate('r')
    .executeTakeFirst();
}

/** Locks a company until the transaction ends, against two additions at once, and returns the number of its rules. */
export async function countRulesLocked(db: Db, companyId: string): Promise<number> {
  await lockCompanyRow(db, companyId);
  const { count } = await db
    .selectFrom('alert_rules')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('company_uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertRule(
  db: Db,
  companyId: string,
  row: Omit<RuleRow, 'company_uuid'>,
): Promise<void> {
  await db
    .insertInto('alert_rules')
    .values({ ...row, company_uuid: companyId })
    .execute();
}

export async function updateRule(
  db: Db,
  companyId: string,
  uuid: string,
  values: Updateable<AlertRuleTable>,
): Promise<void> {
  await db
    .updateTable('alert_rules')
    .set(values)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

export async function deleteRule(db: Db, companyId: string, uuid: string): Promise<void> {
  await db.deleteFrom('alert_rules').where('company_uuid', '=', companyId).where('uuid', '=', uuid).execute();
}

/** The name of an app, a campaign or an ad set that the company has and that is not archived; undefined without one. */
export async function findScopeName(
  db: Db,
  companyId: string,
  scope: Exclude<AlertRuleScope, 'company'>,
  uuid: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(TABLES[scope])
    .select('name')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row?.name;
}

/** A rule whose check is due, with the time zone of its company. */
export type DueRule = NamedRule & { time_zone: string; next_check_at: Date };

/**
 * Rules whose check is due, the longest due first: of each company that is not suspended at most `eachMax`, so that the rules of one
 * do not delay those of another. Covers all companies: for a background job only.
 */
export async function dueRules(
  db: Db,
  { now, eachMax, max }: { now: Date; eachMax: number; max: number },
): Promise<DueRule[]> {
  const { rows } = await sql<DueRule>`
    select due.* from (
      select r.*, ${scopeName}, c.time_zone,
        row_number() over (partition by r.company_uuid order by r.next_check_at, r.uuid) as place
      from alert_rules r join companies c on c.uuid = r.company_uuid
      where r.next_check_at <= ${now} and c.suspended_at is null
    ) as due
    where due.place <= ${eachMax} order by due.place, due.next_check_at, due.uuid limit ${max}`.execute(db);
  return rows;
}
