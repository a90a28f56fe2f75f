import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { type Selectable, sql } from 'kysely';
import type { CommentTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { lockCompanyRow } from '../../../platform/postgres/lock-company.ts';
import { personName } from '../../../platform/postgres/person-name.ts';

/** What is commented on. */
export interface Commented {
  kind: 'campaign' | 'draft';
  uuid: string;
}

/** A comment with the name of its author; null where the account is deleted. */
export type CommentRow = Selectable<CommentTable> & { author_name: string | null };

const column = ({ kind }: Commented) => (kind === 'campaign' ? 'campaign_uuid' : 'draft_uuid');

const listed = (db: Db, companyId: string) =>
  db
    .selectFrom('comments as comment')
    .leftJoin('users as author', 'author.uuid', 'comment.author_uuid')
    .selectAll('comment')
    .select(personName<string | null>('author').as('author_name'))
    .where('comment.company_uuid', '=', companyId);

/** The comments on something, the oldest first. */
export async function listComments(db: Db, companyId: string, on: Commented): Promise<CommentRow[]> {
  return listed(db, companyId)
    .where(`comment.${column(on)}`, '=', on.uuid)
    .orderBy('comment.created_at')
    .orderBy('comment.uuid')
    .execute();
}

export async function findComment(db: Db, companyId: string, uuid: string): Promise<CommentRow | undefined> {
  return listed(db, companyId).where('comment.uuid', '=', uuid).executeTakeFirst();
}

/** Like {@link findComment}, locked until the transaction ends. */
export async function lockComment(db: Db, companyId: string, uuid: string): Promise<CommentRow | undefined> {
  return listed(db, companyId).where('comment.uuid', '=', uuid).forUpdate('comment').executeTakeFirst();
}

/** The name of a campaign or a draft; undefined where the company has none with the id. A draft may have an empty name. */
export async function nameOfCommented(
  db: Db,
  companyId: string,
  { kind, uuid }: Commented,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(kind === 'campaign' ? 'campaigns' : 'campaign_drafts')
    .select('name')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row?.name;
}

/** Number of comments on something of a company, whose row it locks, so that no two of them are the last that fits. */
export async function lockedCommentCount(db: Db, companyId: string, on: Commented): Promise<number> {
  await lockCompanyRow(db, companyId);
  const { count } = await db
    .selectFrom('comments')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('company_uuid', '=', companyId)
    .where(column(on), '=', on.uuid)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertComment(
  db: Db,
  companyId: string,
  on: Commented,
  comment: Pick<CommentRow, 'uuid' | 'author_uuid' | 'text' | 'mentions' | 'created_at'>,
): Promise<void> {
  await db
    .insertInto('comments')
    .values({
      ...comment,
      company_uuid: companyId,
      campaign_uuid: on.kind === 'campaign' ? on.uuid : null,
      draft_uuid: on.kind === 'draft' ? on.uuid : null,
      edited_at: null,
    })
    .execute();
}

export async function updateCommentText(
  db: Db,
  companyId: string,
  { uuid, text, at }: { uuid: string; text: string; at: Date },
): Promise<void> {
  await db
    .updateTable('comments')
    .set({ text, edited_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

export async function deleteCommentRow(db: Db, companyId: string, uuid: string): Promise<void> {
  await db.deleteFrom('comments').where('company_uuid', '=', companyId).where('uuid', '=', uuid).execute();
}

/** Gives the comments on a draft to a campaign. */
export async function moveComments(
  db: Db,
  companyId: string,
  { draft, campaign }: { draft: string; campaign: string },
): Promise<void> {
  await db
    .updateTable('comments')
    .set({ campaign_uuid: campaign, draft_uuid: null })
    .where('company_uuid', '=', companyId)
    .where('draft_uuid', '=', draft)
    .execute();
}

/** Somebody who belongs to a company. */
export interface Person {
  uuid: string;
  role: CompanyRole;
  name: string;
}

/** Who took part in what is commented on: authors of comments, and of the draft. Some may not belong to the company any more. */
export async function takingPart(db: Db, companyId: string, on: Commented): Promise<string[]> {
  const authors = await db
    .selectFrom('comments')
    .select('author_uuid')
    .distinct()
    .where('company_uuid', '=', companyId)
    .where(column(on), '=', on.uuid)
    .execute();
  const draft =
    on.kind === 'draft'
      ? await db
          .selectFrom('campaign_drafts')
          .select(['created_by', 'updated_by'])
          .where('company_uuid', '=', companyId)
          .where('uuid', '=', on.uuid)
          .executeTakeFirst()
      : undefined;
  const all = [...authors.map(({ author_uuid }) => author_uuid), draft?.created_by, draft?.updated_by];
  return all.filter((uuid) => typeof uuid === 'string');
}

/** The people of a company with their roles and names. */
export async function peopleWithRoles(db: Db, companyId: string): Promise<Person[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select(['users.uuid', 'memberships.role'])
    .select(personName('users').as('name'))
    .where('memberships.company_uuid', '=', companyId)
    .execute();
}
