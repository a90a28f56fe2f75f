import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import type { AudienceUse } from '@bidwell/contract/audiences/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { anyOf, json } from '../../../platform/postgres/client.ts';
import type {
  AudienceImportTable,
  AudienceMatchTable,
  AudienceTable,
} from '../../../platform/postgres/audience-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** An audience with its app and the look-ups of its last whole period, which are null before it. */
export type AudienceRow = Selectable<AudienceTable> & { app_name: string | null } & {
  [Name in MatchColumn]: Selectable<AudienceMatchTable>[Name] | null;
};
type MatchColumn = 'last_began_at' | 'last_look_ups' | 'last_matches' | 'last_people' | 'last_size';
export type ImportRow = Selectable<AudienceImportTable>;

/** The audiences of a company, all or one, by name. */
export async function findAudiences(db: Db, companyId: string, uuid?: string): Promise<AudienceRow[]> {
  return db
    .selectFrom('audiences')
    .leftJoin('apps', (join) =>
      join.onRef('apps.uuid', '=', 'audiences.app_uuid').on('apps.company_uuid', '=', companyId),
    )
    .leftJoin('audience_matches as m', 'm.audience_uuid', 'audiences.uuid')
    .selectAll('audiences')
    .select('apps.name as app_name')
    .select(['m.last_began_at', 'm.last_look_ups', 'm.last_matches', 'm.last_people', 'm.last_size'])
    .where('audiences.company_uuid', '=', companyId)
    .$if(uuid !== undefined, (query) => query.where('audiences.uuid', '=', uuid!))
    .orderBy('audiences.name')
    .orderBy('audiences.uuid')
    .execute();
}

/** The latest import of each audience of a company, or of one. */
export async function latestImports(
  db: Db,
  companyId: string,
  uuid?: string,
): Promise<ReadonlyMap<string, ImportRow>> {
  const rows = await db
    .selectFrom('audience_imports')
    .selectAll()
    .distinctOn('audience_uuid')
    .where('company_uuid', '=', companyId)
    .$if(uuid !== undefined, (query) => query.where('audience_uuid', '=', uuid!))
    .orderBy('audience_uuid')
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.audience_uuid, row]));
}

/** The latest imports of an audience, newest first. */
export async function importsOf(
  db: Db,
  companyId: string,
  audienceUuid: string,
  limit: number,
): Promise<ImportRow[]> {
  return db
    .selectFrom('audience_imports')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('audience_uuid', '=', audienceUuid)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
}

/** The ad sets and targets that use audiences of a company, by audience; archived ones too. */
export async function usersOfAudiences(
  db: Db,
  companyId: string,
  uuid?: string,
): Promise<ReadonlyMap<string, AudienceUse[]>> {
  const { rows } = await sql<Omit<AudienceUse, 'is_idle'> & { is_idle: boolean; audience: string }>`
    with lists as (
      select 'adset' as type, uuid, name, archived_at is not null as is_archived, false as is_idle,
          audience_include as include, audience_exclude as exclude from adsets
        where company_uuid = ${companyId} and (audience_include <> '[]' or audience_exclude <> '[]')
      union all
      select 'target', uuid, name, archived_at is not null,
          not exists (
            select from adsets where adsets.company_uuid = ${companyId} and adsets.target_uuid = targets.uuid
          ),
          coalesce(settings -> 'audience_include', '[]'), coalesce(settings -> 'audience_exclude', '[]')
        from targets
        where company_uuid = ${companyId}
          and (settings -> 'audience_include' <> '[]' or settings -> 'audience_exclude' <> '[]')
    )
    select distinct used.* from (
      select type, uuid, name, is_archived, is_idle, jsonb_array_elements_text(exclude) as audience from lists
      union all
      select type, uuid, name, is_archived, is_idle, jsonb_array_elements_text(audiences) from lists, jsonb_array_elements(include) audiences
      union all
      select 'adset', uuid, name, archived_at is not null, false, multiplier ->> 'value' from adsets, jsonb_array_elements(bid_multipliers) multiplier
        where company_uuid = ${companyId} and bid_multipliers <> '[]' and multiplier ->> 'dimension' = 'audience'
    ) used
    ${uuid === undefined ? sql`` : sql`where used.audience = ${uuid}`}
    order by used.name, used.uuid`.execute(db);
  const users = new Map<string, AudienceUse[]>();
  for (const { audience, is_idle: isIdle, ...stored } of rows) {
    const use = { ...stored, ...(isIdle && { is_idle: true as const }) };
    const known = users.get(audience);
    if (known) known.push(use);
    else users.set(audience, [use]);
  }
  return users;
}

/** The audiences of the targets of a company that have some, by target. */
export async function targetAudiences(
  db: Db,
  companyId: string,
): Promise<ReadonlyMap<string, { include: string[][]; exclude: string[] }>> {
  const { rows } = await sql<{ uuid: string; include: string[][]; exclude: string[] }>`
    select uuid, coalesce(settings -> 'audience_include', '[]') as include,
        coalesce(settings -> 'audience_exclude', '[]') as exclude
      from targets
      where company_uuid = ${companyId}
        and (settings -> 'audience_include' <> '[]' or settings -> 'audience_exclude' <> '[]')`.execute(db);
  return new Map(rows.map(({ uuid, ...audiences }) => [uuid, audiences]));
}

/** Locks the audiences of a company among `uuids` against their deletion, and returns the ids that it has. */
export async function lockKnownAudiences(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set();
  const rows = await db
    .selectFrom('audiences')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .forShare()
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

/** Number of imports of an audience that wait or run. */
export async function countWaitingImports(db: Db, companyId: string, audienceUuid: string): Promise<number> {
  const { count } = await db
    .selectFrom('audience_imports')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('company_uuid', '=', companyId)
    .where('audience_uuid', '=', audienceUuid)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many uploads a company has not finished, and the bytes of these and of its files that wait to be imported. */
export async function pendingUploads(db: Db, companyId: string): Promise<{ uploads: number; bytes: number }> {
  const { rows } = await sql<{ uploads: number; bytes: number }>`
    select count(*)::int as uploads, (coalesce(sum(bytes), 0) + (
      select coalesce(sum((part ->> 'bytes')::bigint), 0)
      from audience_imports, jsonb_array_elements(parts) as part
      where company_uuid = ${companyId} and state in ('waiting', 'running')))::float8 as bytes
    from audience_uploads where company_uuid = ${companyId} and is_open`.execute(db);
  return rows[0]!;
}

/**
 * The kinds of imports, which do not wait for each other: `fetched`, whose file comes from a server of others; `long`, uploads of more bytes
 * than one part, and imports that were put off; `short`, all others.
 */
export type ImportLane = 'fetched' | 'long' | 'short';

const IS_FETCHED = sql`i.source in ('url', 'partner')`;
const IS_LONG = sql`(i.put_off_at is not null
  or (select coalesce(sum((part ->> 'bytes')::bigint), 0) from jsonb_array_elements(i.parts) part)
    > ${limits.audiencePartBytesMax})`;
const OF_LANE: Readonly<Record<ImportLane, RawBuilder<unknown>>> = {
  fetched: IS_FETCHED,
  long: sql`not ${IS_FETCHED} and ${IS_LONG}`,
  short: sql`not ${IS_FETCHED} and not ${IS_LONG}`,
};

/** Files of one company that are fetched at once. */
const FETCHES_EACH = 2;

/**
 * When companies with imports that wait or run had their last turns: the end of an import, or when it was put off. The import of a live audience
 * whose people stayed the same leaves only the time of its refresh.
 */
const TURNS = sql`
  pending as (select distinct company_uuid from audience_imports where state in ('waiting', 'running')),
  turns as (
    select company_uuid, max(at) as at from (
      select company_uuid, greatest(finished_at, put_off_at) as at from audience_imports
        where company_uuid in (select company_uuid from pending)
      union all
      select company_uuid, refreshed_at from audiences where company_uuid in (select company_uuid from pending)
    ) turn group by company_uuid)`;

/**
 * Claims the import of a lane that is next until an instant: the oldest of the company that has waited longest for one of its own. The imports
 * of an audience run one after another in their order, whichever lanes they are in, so that two lanes never have the same audience. Spans
 * companies.
 */
export async function claimImport(
  db: Db,
  { now, until, lane }: { now: Date; until: Date; lane: ImportLane },
): Promise<ImportRow | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    with ${TURNS}
    update audience_imports set state = 'running', attempts = attempts + 1, claimed_until = ${until}
    where uuid = (
      select i.uuid from audience_imports i left join turns on turns.company_uuid = i.company_uuid
      where (i.state = 'waiting' or (i.state = 'running' and i.claimed_until < ${now}))
        and ${OF_LANE[lane]}
        and (not ${IS_FETCHED} or (
          select count(*) from audience_imports o where o.company_uuid = i.company_uuid
            and o.source in ('url', 'partner') and o.state = 'running' and o.claimed_until >= ${now}
        ) < ${FETCHES_EACH})
        and not exists (select from audience_imports e where e.audience_uuid = i.audience_uuid
          and e.state in ('waiting', 'running') and (e.created_at, e.uuid) < (i.created_at, i.uuid))
      order by turns.at nulls first, i.created_at, i.uuid
      limit 1 for update of i skip locked)
    returning uuid`.execute(db);
  const [claimed] = rows;
  if (!claimed) return undefined;
  return db.selectFrom('audience_imports').selectAll().where('uuid', '=', claimed.uuid).executeTakeFirst();
}

/** Lets a running import wait for its turn among long ones, unless another process has it. Spans companies: the caller claimed it. */
export async function putOffImport(
  db: Db,
  { uuid, attempts }: Pick<ImportRow, 'uuid' | 'attempts'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('audience_imports')
    .set({ state: 'waiting', put_off_at: at, claimed_until: null, progress: 0 })
    .where('uuid', '=', uuid)
    .where('state', '=', 'running')
    .where('attempts', '=', attempts)
    .execute();
}

/** Sets fields of a running import. Spans companies: the caller has claimed it. */
export async function setImport(
  db: Db,
  uuid: string,
  fields: Partial<{
    state: ImportRow['state'];
    progress: number;
    claimed_until: Date | null;
    report: ImportRow['report'];
    error: string | null;
    finished_at: Date;
    parts: ImportRow['parts'];
    source_url: null;
  }>,
): Promise<void> {
  const { report, parts, ...rest } = fields;
  await db
    .updateTable('audience_imports')
    .set({
      ...rest,
      ...(report !== undefined && { report: report && json(report) }),
      ...(parts !== undefined && { parts: json(parts) }),
    })
    .where('uuid', '=', uuid)
    .execute();
}

/** Claims a running import until another instant. Resolves to whether it is still this process's. Spans companies: the caller claimed it. */
export async function extendClaim(
  db: Db,
  { uuid, attempts }: Pick<ImportRow, 'uuid' | 'attempts'>,
  until: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audience_imports')
    .set({ claimed_until: until })
    .where('uuid', '=', uuid)
    .where('state', '=', 'running')
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The audience that a partner knows by a key. */
export async function partnerAudienceOf(db: Db, companyId: string, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('audiences')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('partner_key', '=', key)
    .executeTakeFirst();
  return row?.uuid;
}

/** The imports of a partner's audience that wait or run. */
export async function waitingSyncs(db: Db, companyId: string, audienceUuid: string): Promise<ImportRow[]> {
  return db
    .selectFrom('audience_imports')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('audience_uuid', '=', audienceUuid)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}

/** Gives up the imports of a partner's audience that wait or run, because a newer file came. */
export async function supersedeSyncs(
  db: Db,
  companyId: string,
  audienceUuid: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('audience_imports')
    .set({
      state: 'failed',
      error: audienceApiMessages.superseded,
      source_url: null,
      claimed_until: null,
      finished_at: at,
    })
    .where('company_uuid', '=', companyId)
    .where('audience_uuid', '=', audienceUuid)
    .where('state', 'in', ['waiting', 'running'])
    .execute();
}

/** Uploads that no one finished in time. Spans companies, for the job that gives them up. */
export async function expiredUploads(db: Db, now: Date, limit: number) {
  return db
    .selectFrom('audience_uploads')
    .selectAll()
    .where('expires_at', '<', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

/** The campaigns of an app, archived ones too. */
export async function campaignsOfApp(db: Db, companyId: string, appUuid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appUuid)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Whether a file of a company has this content. */
export async function hasFile(
  db: Db,
  companyId: string,
  uuid: string | null,
  sha256: string,
): Promise<boolean> {
  if (uuid === null) return false;
  const row = await db
    .selectFrom('files')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes an import that changed nothing. */
export async function deleteImport(db: Db, companyId: string, uuid: string): Promise<void> {
  await db
    .deleteFrom('audience_imports')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** The apps of campaigns that have no audience of the people who have them. Spans companies, for the job that makes it. */
export async function appsWithoutInstalled(db: Db, campaignIds: readonly string[]) {
  if (campaignIds.length === 0) return [];
  return db
    .selectFrom('apps')
    .select(['apps.uuid', 'apps.company_uuid', 'apps.name'])
    .where('apps.deleted_at', 'is', null)
    .where('apps.uuid', 'in', (query) =>
      query.selectFrom('campaigns').select('app_uuid').where('campaigns.uuid', '=', anyOf(campaignIds)),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('audiences')
            .select('audiences.uuid')
            .whereRef('audiences.app_uuid', '=', 'apps.uuid')
            .where('audiences.is_installed', '=', true),
        ),
      ),
    )
    .execute();
}

/** Inserts the audience of the people who have an app, unless it has one. Returns whether it was inserted. */
export async function insertInstalled(
  db: Db,
  {
    uuid,
    companyId,
    appUuid,
    name,
    at,
  }: { uuid: string; companyId: string; appUuid: string; name: string; at: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('audiences')
    .values({
      uuid,
      company_uuid: companyId,
      app_uuid: appUuid,
      name,
      description: '',
      kind: 'live',
      rule: json({ type: 'installed', days: null }),
      source_url: null,
      id_form: 'auto',
      hashed_letters: 'either',
      is_installed: true,
      id_hash: null,
      file_uuid: null,
      refreshed_at: null,
      refresh_after: at,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('uuid')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** All audiences with ids, or one of them. Spans companies, for the erasure of a person. */
export async function audiencesWithFile(db: Db, uuid?: string) {
  return db
    .selectFrom('audiences')
    .select(['uuid', 'company_uuid', 'file_uuid'])
    .where('file_uuid', 'is not', null)
    .$if(uuid !== undefined, (query) => query.where('uuid', '=', uuid!))
    .$narrowType<{ file_uuid: string }>()
    .execute();
}

/** Locks the look-ups whose period began before an instant. Spans companies, for the job that ends periods. */
export async function lockEndedMatches(db: Db, before: Date, limit: number) {
  return db
    .selectFrom('audience_matches')
    .selectAll()
    .where('began_at', '<=', before)
    .orderBy('audience_uuid')
    .limit(limit)
    .forUpdate()
    .execute();
}

/** Makes the period under way of an audience its last whole one. `people` is the number of people who were found in it. */
export async function endMatches(db: Db, companyId: string, uuid: string, people: number): Promise<void> {
  await db
    .updateTable('audience_matches')
    .set((of) => ({
      last_began_at: of.ref('began_at'),
      last_look_ups: of.ref('look_ups'),
      last_matches: of.ref('matches'),
      last_people: people,
      last_size: of.ref('size'),
      began_at: null,
      look_ups: 0,
      matches: 0,
      people: '',
    }))
    .where('company_uuid', '=', companyId)
    .where('audience_uuid', '=', uuid)
    .execute();
}

/** Whether uploads or imports from before an instant are not done. Spans companies, for the erasure of a person. */
export async function hasPendingFrom(db: Db, before: Date): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from audience_uploads where is_open and created_at < ${before}
      union all
      select from audience_imports
      left join audience_uploads on audience_uploads.uuid = audience_imports.upload_uuid
      where state in ('waiting', 'running')
        and least(audience_imports.created_at, audience_uploads.created_at) < ${before}
    ) as found`.execute(db);
  return rows[0]!.found;
}

/** Deletes an upload. Spans companies, for the job that gives uploads up. */
export async function deleteUpload(db: Db, uuid: string): Promise<void> {
  await db.deleteFrom('audience_uploads').where('uuid', '=', uuid).execute();
}

/** Audiences whose address or rule is due to be read. Spans companies. */
export async function dueAudiences(db: Db, now: Date, limit: number) {
  return db
    .selectFrom('audiences')
    .select(['uuid', 'company_uuid'])
    .where('refresh_after', '<=', now)
    .orderBy('refresh_after')
    .limit(limit)
    .execute();
}

/** Deletes imports that ended before an instant, except the latest ones of each audience. Spans companies. */
export async function deleteOldImports(db: Db, before: Date, kept: number): Promise<void> {
  await sql`
    delete from audience_imports where uuid in (
      select uuid from (
        select uuid, finished_at, row_number() over (partition by audience_uuid order by created_at desc) as place
        from audience_imports where state in ('done', 'failed')
      ) ended where place > ${kept} and finished_at < ${before} limit 1000)`.execute(db);
}
