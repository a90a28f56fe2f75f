import { PAST_DECISIONS_MAX } from '@bidwell/contract/moderation/schema';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

// Decisions of all companies, from the audit log of operators: for operators only.

/** Decisions on a company's ads that its record is made of. */
const RECORD_DECISIONS = 100;

/** A decision, and what it was found by. */
export interface DecisionRow {
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
export async function decisionsOn(db: Db, entities: readonly string[]): Promise<DecisionRow[]> {
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
export async function decisionsOnFiles(db: Db, hashes: readonly string[]): Promise<DecisionRow[]> {
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
export interface RecordRow {
  company_uuid: string;
  approved: number;
  rejected: number;
  /** Uuids of the newest rejections. */
  rejections: string[] | null;
}

/** The record of each company with decisions. */
export async function recordsOf(db: Db, companies: readonly string[]): Promise<RecordRow[]> {
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
export async function findDecisions(db: Db, uuids: readonly string[]): Promise<DecisionRow[]> {
  if (uuids.length === 0) return [];
  const { rows } = await sql<DecisionRow>`
    select a.company_uuid as key, ${columns} from operator_acts a join companies on companies.uuid = a.company_uuid
    where a.uuid = any(${`{${uuids.join()}}`}::uuid[])
    order by a.created_at desc, a.uuid desc`.execute(db);
  return rows;
}
