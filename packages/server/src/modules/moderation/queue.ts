import {
  type ModerationFile,
  type ModerationItem,
  type ModerationQueue,
  PAST_DECISIONS_MAX,
  type PastDecision,
  type ReviewedCompany,
  moderationKinds,
} from '@bidwell/contract/moderation/schema';
import type { Context } from '../../context.ts';
import { groupBy } from '../../platform/group-by.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { previewOf, previewOnPage } from '../catalog/public.ts';
import {
  type WaitingFilter,
  type WaitingRow,
  countByKind,
  deepLinksOf,
  destinationsOf,
  reviewedFiles,
  waitingCompanies,
  waitingRows,
} from './store.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

type FileRow = Awaited<ReturnType<typeof reviewedFiles>>[number];

/** Versions that await review, with the version that runs meanwhile and details that help to decide: a fixed number of queries. */
export async function moderationQueue(
  ctx: Context,
  operator: Operator,
  filter: WaitingFilter,
): Promise<ModerationQueue> {
  requireOperatorPermission(operator, 'moderation.read');
  const { db } = ctx;
  const rows = await waitingRows(db, filter);
  const companies = await waitingCompanies(db, unique(rows.map(({ company_uuid: uuid }) => uuid)));
  const counts = await countByKind(db, filter.company_uuid);
  return {
    items: await presentItems(ctx, rows),
    waiting: companies[0]?.total ?? 0,
    oldest_since: companies[0]?.first.toISOString() ?? null,
    kinds: {
      ...(Object.fromEntries(moderationKinds.map((kind) => [kind, 0])) as ModerationQueue['kinds']),
      ...Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
    },
    companies: await presentCompanies(ctx, companies, rows),
  };
}

/** How many wait for review, of all companies. */
export async function countWaiting({ db }: Context): Promise<number> {
  return (await countByKind(db, undefined)).reduce((sum, { count }) => sum + count, 0);
}

async function presentItems(ctx: Context, rows: readonly WaitingRow[]): Promise<ModerationItem[]> {
  const { db } = ctx;
  const files = new Map(
    (await reviewedFiles(db, unique(rows.flatMap(filesOf)))).map((file) => [file.uuid, file]),
  );
  const hashOf = (row: WaitingRow) => files.get(mainFileOf(row) ?? '')?.sha256;
  const creatives = rows.filter(({ entity }) => entity === 'creative');
  const creativeUuids = creatives.map(({ uuid }) => uuid);
  const destinations = await destinationsOf(db, creativeUuids);
  const deepLinks = await deepLinksOf(db, creativeUuids);
  const decisions = byKey(
    await decisionsOn(
      db,
      rows.map(({ uuid }) => uuid),
    ),
  );
  const onFiles = byKey(await decisionsOnFiles(db, unique(creatives.flatMap((row) => hashOf(row) ?? []))));
  return rows.map((row) => ({
    entity: row.entity,
    kind: row.kind,
    uuid: row.uuid,
    company_uuid: row.company_uuid,
    company_name: row.company_name,
    name: row.name,
    link: row.link ?? linkOf(ctx, row, files),
    pending: row.pending,
    approved: row.approved,
    since: row.updated_at.toISOString(),
    app: row.app,
    files: presentFiles(ctx, row, files),
    external_loads: row.external_loads ?? [],
    view_url: row.view_url,
    destinations: destinations
      .filter(({ creative_uuid: creative }) => creative === row.uuid)
      .map(({ creative_uuid: _creative, ...link }) => link),
    deep_links: deepLinks
      .filter(({ creative_uuid: creative }) => creative === row.uuid)
      .map(({ creative_uuid: _creative, ...link }) => link),
    decisions: (decisions.get(row.uuid) ?? []).map(presentDecision),
    same_file: row.entity === 'creative' ? othersOf(row, onFiles.get(hashOf(row) ?? '') ?? []) : [],
  }));
}

/** The latest decision on each other creative. */
function othersOf({ uuid }: WaitingRow, found: readonly DecisionRow[]): PastDecision[] {
  const latest = new Map<string, DecisionRow>();
  for (const decision of found)
    if (decision.entity_uuid !== uuid && !latest.has(decision.entity_uuid))
      latest.set(decision.entity_uuid, decision);
  return [...latest.values()].slice(0, PAST_DECISIONS_MAX).map(presentDecision);
}

const mainFileOf = (row: WaitingRow): string | null =>
  row.playable_file_uuid ?? row.video_file_uuid ?? row.banner_file_uuid;

/** The end card that runs while another one awaits review. */
function approvedEndCardOf({ kind, approved, banner_file_uuid: current }: WaitingRow): string | null {
  const uuid = kind === 'Video' ? (approved?.['banner_file_uuid'] ?? null) : null;
  return uuid === current ? null : uuid;
}

function filesOf(row: WaitingRow): string[] {
  const { banner_file_uuid: banner, video_file_uuid: video, playable_file_uuid: playable } = row;
  return [banner, video, playable, approvedEndCardOf(row)].filter((uuid) => uuid !== null);
}

function linkOf(ctx: Context, row: WaitingRow, files: ReadonlyMap<string, FileRow>): string {
  const file = row.entity === 'creative' ? files.get(mainFileOf(row) ?? '') : undefined;
  return file ? previewOf(ctx, file) : '';
}

function presentFiles(ctx: Context, row: WaitingRow, files: ReadonlyMap<string, FileRow>): ModerationFile[] {
  const main = mainFileOf(row);
  const roles: [ModerationFile['role'], string | null][] = [
    [row.entity === 'creative' ? 'ad' : 'sample', main],
    ['end_card', row.banner_file_uuid === main ? null : row.banner_file_uuid],
    ['approved_end_card', approvedEndCardOf(row)],
  ];
  return roles.flatMap(([role, uuid]) => {
    const file = files.get(uuid ?? '');
    if (!file) return [];
    const { sha256: _hash, ...facts } = file;
    return [{ ...facts, role, url: previewOnPage(ctx, file) }];
  });
}

async function presentCompanies(
  { db }: Context,
  companies: Awaited<ReturnType<typeof waitingCompanies>>,
  rows: readonly WaitingRow[],
): Promise<ReviewedCompany[]> {
  const records = await recordsOf(db, unique(rows.map(({ company_uuid: uuid }) => uuid)));
  const rejections = byKey(
    await findDecisions(
      db,
      records.flatMap(({ rejections: uuids }) => uuids ?? []),
    ),
  );
  const recordOf = new Map(records.map((record) => [record.company_uuid, record]));
  return companies.map(({ uuid, name, created_at, suspended, waiting, oldest }) => {
    const record = recordOf.get(uuid);
    return {
      uuid,
      name,
      created_at: created_at.toISOString(),
      suspended,
      waiting,
      oldest_since: oldest.toISOString(),
      record: record
        ? {
            approved: record.approved,
            rejected: record.rejected,
            rejections: (rejections.get(uuid) ?? []).map(presentDecision),
          }
        : null,
    };
  });
}

function presentDecision({ key: _key, created_at: at, ...decision }: DecisionRow): PastDecision {
  return { ...decision, decided_at: at.toISOString() };
}

const byKey = (rows: readonly DecisionRow[]) => groupBy(rows, ({ key }) => key);

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** A decision, and the key by which it was found. */
interface DecisionRow {
  key: string;
  uuid: string;
  entity: string;
  entity_uuid: string;
  name: string;
  company_uuid: string;
  company_name: string;
  operator: string;
  status: 'Approved' | 'Rejected';
  reason: string;
  created_at: Date;
}

const columns = sql`a.uuid, a.entity, a.entity_uuid, a.name, a.company_uuid, companies.name as company_name, a.operator,
  a.action as status, a.reason, a.created_at`;

/** As in the indexes of the log. */
const isDecision = sql`a.entity in ('app', 'creative', 'creative_group', 'tracking_link')
  and a.action in ('Approved', 'Rejected')`;

/** The newest decisions on each entity; `key` is the entity's uuid. */
async function decisionsOn(db: Db, entities: readonly string[]): Promise<DecisionRow[]> {
  if (entities.length === 0) return [];
  const { rows } = await sql<DecisionRow>`
    select k.uuid as key, ${columns} from unnest(${`{${entities.join()}}`}::text[]) as k (uuid)
    cross join lateral (
      select * from operator_acts a where a.entity_uuid = k.uuid and ${isDecision}
      order by a.created_at desc limit ${PAST_DECISIONS_MAX}) a
    join companies on companies.uuid = a.company_uuid
    order by a.created_at desc, a.uuid desc`.execute(db);
  return rows;
}

/** The newest decisions on creatives with each file; `key` is the file's hash. */
async function decisionsOnFiles(db: Db, hashes: readonly string[]): Promise<DecisionRow[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<DecisionRow>`
    select k.hash as key, ${columns} from unnest(${`{${hashes.join()}}`}::text[]) as k (hash)
    cross join lateral (
      select * from operator_acts a where a.file_sha256 = k.hash
      order by a.created_at desc limit ${4 * PAST_DECISIONS_MAX}) a
    join companies on companies.uuid = a.company_uuid
    order by a.created_at desc, a.uuid desc`.execute(db);
  return rows;
}

/** How many of the last hundred decisions on a company's ads approved and rejected. */
interface RecordRow {
  company_uuid: string;
  approved: number;
  rejected: number;
  /** Uuids of the newest rejections. */
  rejections: string[] | null;
}

// Decisions of all companies, from the audit log of operators: for operators only.

/** Decisions on a company's ads that its record is made of. */
const RECORD_DECISIONS = 100;

/** The record of each company with decisions. */
async function recordsOf(db: Db, companies: readonly string[]): Promise<RecordRow[]> {
  if (companies.length === 0) return [];
  const { rows } = await sql<RecordRow>`
    select k.uuid as company_uuid, d.* from unnest(${`{${companies.join()}}`}::uuid[]) as k (uuid)
    cross join lateral (
      select count(*) filter (where action = 'Approved')::int as approved,
        count(*) filter (where action = 'Rejected')::int as rejected,
        (array_agg(uuid::text order by created_at desc) filter (where action = 'Rejected'))[1:${sql.lit(PAST_DECISIONS_MAX)}]
          as rejections
      from (
        select uuid, action, created_at from operator_acts a where a.company_uuid = k.uuid and ${isDecision}
        order by a.created_at desc limit ${RECORD_DECISIONS}) last) d`.execute(db);
  return rows;
}

/** Decisions by their own uuids, newest first; `key` is the company's uuid. */
async function findDecisions(db: Db, uuids: readonly string[]): Promise<DecisionRow[]> {
  if (uuids.length === 0) return [];
  const { rows } = await sql<DecisionRow>`
    select a.company_uuid as key, ${columns} from operator_acts a join companies on companies.uuid = a.company_uuid
    where a.uuid = any(${`{${uuids.join()}}`}::uuid[])
    order by a.created_at desc, a.uuid desc`.execute(db);
  return rows;
}
