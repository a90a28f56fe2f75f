import type { ModerationStatus } from '@bidwell/contract/app';
import type { ModerationItem } from '@bidwell/contract/operator';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

const waiting: ModerationStatus = 'Moderation';
const WAITING_MAX = 1000;

/** What waits for a decision, of all companies, the oldest first: the operator's list crosses companies. */
export async function waitingItems(db: Db): Promise<ModerationItem[]> {
  const apps = await db
    .selectFrom('apps')
    .select(['uuid', 'company_uuid', 'name', 'store_link as link', 'updated_at'])
    .where('status', '=', waiting)
    .where('deleted_at', 'is', null)
    .orderBy('updated_at')
    .limit(WAITING_MAX)
    .execute();
  const creatives = await db
    .selectFrom('creatives')
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .select([
      'creatives.uuid',
      'creatives.company_uuid',
      'internal_creatives.name',
      sql<string | null>`coalesce(
        internal_creatives.playable_file_uuid, internal_creatives.video_file_uuid, internal_creatives.banner_file_uuid
      )`.as('file'),
      'creatives.updated_at',
    ])
    .where('creatives.status', '=', waiting)
    .orderBy('creatives.updated_at')
    .limit(WAITING_MAX)
    .execute();
  const items = [
    ...apps.map(({ updated_at, ...app }) => ({
      entity: 'app' as const,
      ...app,
      since: updated_at.toISOString(),
    })),
    ...creatives.map(({ updated_at, file, ...creative }) => ({
      entity: 'creative' as const,
      ...creative,
      link: file ? `/m/${file}` : '',
      since: updated_at.toISOString(),
    })),
  ];
  return items.sort((a, b) => a.since.localeCompare(b.since));
}

/** One app or creative as a decision needs it, locked; the operator names it by uuid alone. */
export async function lockReviewed(
  db: Db,
  entity: 'app' | 'creative',
  uuid: string,
): Promise<Reviewed | undefined> {
  if (entity === 'app') {
    return db
      .selectFrom('apps')
      .select(['company_uuid', 'name', 'status', 'rejection_reason'])
      .where('uuid', '=', uuid)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
  }
  return db
    .selectFrom('creatives')
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .select([
      'creatives.company_uuid',
      'internal_creatives.name',
      'creatives.status',
      'creatives.rejection_reason',
    ])
    .where('creatives.uuid', '=', uuid)
    .forUpdate('creatives')
    .executeTakeFirst();
}

export interface Reviewed {
  company_uuid: string;
  name: string;
  status: ModerationStatus;
  rejection_reason: string | null;
}

export async function setDecision(
  db: Db,
  companyId: string,
  entity: 'app' | 'creative',
  uuid: string,
  decision: { status: ModerationStatus; rejection_reason: string | null; updated_at: Date },
): Promise<void> {
  const table = entity === 'app' ? 'apps' : 'creatives';
  await db
    .updateTable(table)
    .set(decision)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}
