import { companyRoleHas, type CompanyRole } from '@bidwell/contract/accounts/permission';
import {
  COMMENTS_MAX,
  COMMENT_CHANGE_MINUTES,
  type Comment,
  type CommentInput,
  type CommentUpdate,
} from '@bidwell/contract/comments/schema';
import { campaignApiMessages } from '@bidwell/contract/campaigns/api-messages';
import { commentApiMessages } from '@bidwell/contract/comments/api-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { notify } from '../../messaging/public.ts';
import { type Selectable, sql } from 'kysely';
import type { CommentTable } from '../../../platform/postgres/schema.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { personName } from '../../../platform/postgres/person-name.ts';
import { deleteOwned, setOwned } from '../../../platform/postgres/stores/owned-store.ts';

/** Names of the people of a company, by their ids. */
type Names = ReadonlyMap<string, string>;

/** The comments on a campaign or a draft of the actor's company, the oldest first. Throws NotFound. */
export async function listComments(ctx: Context, actor: Actor, on: Commented): Promise<Comment[]> {
  requirePermission(actor, 'campaign.read');
  const { companyId } = actor;
  await requireCommented(ctx.db, companyId, on);
  const names = namesOf(await peopleWithRoles(ctx.db, companyId));
  return (await selectComments(ctx.db, companyId, on)).map((row) => present(row, names, actor, ctx.now()));
}

/**
 * Adds a comment to a campaign or a draft. The mentioned users and earlier participants are notified. Throws NotFound; Invalid for a
 * mention of a user who does not belong to the company or may not read campaigns; Conflict at the limit.
 */
export async function addComment(
  ctx: Context,
  actor: Actor,
  on: Commented,
  { text, mentions }: CommentInput,
): Promise<Comment> {
  requirePermission(actor, 'comment.write');
  const { companyId, userId } = actor;
  return transact(ctx.db, async (tx) => {
    const count = await lockedCommentCount(tx.db, companyId, on);
    const name = await requireCommented(tx.db, companyId, on);
    if (count >= COMMENTS_MAX) throw new Conflict(commentApiMessages.commentsMax(COMMENTS_MAX));
    const people = await peopleWithRoles(tx.db, companyId);
    requireMentionable(people, mentions);
    const uuid = uuidv7();
    await insertComment(tx.db, companyId, on, {
      uuid,
      author_uuid: userId,
      text,
      mentions,
      created_at: ctx.now(),
    });
    const row = await found(tx, companyId, uuid);
    const author = { uuid: userId, name: authorOf(row) };
    await notifyOfComment(ctx, tx, companyId, { on: { ...on, name }, author, mentions, people });
    return present(row, namesOf(people), actor, ctx.now());
  });
}

/**
 * Changes the text of the actor's own comment. Throws NotFound; Conflict for another user's comment, and after its time.
 */
export async function changeComment(
  ctx: Context,
  actor: Actor,
  { uuid, text }: CommentUpdate & { uuid: string },
): Promise<Comment> {
  requirePermission(actor, 'comment.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const before = await lockOwn(ctx, tx, actor, uuid);
    if (before.text !== text)
      await setOwned(tx.db, 'comments', companyId, uuid, { text, edited_at: ctx.now() });
    const names = namesOf(await peopleWithRoles(tx.db, companyId));
    return present(await found(tx, companyId, uuid), names, actor, ctx.now());
  });
}

/** Deletes the actor's own comment. Throws as {@link changeComment} does. */
export async function deleteComment(ctx: Context, actor: Actor, { uuid }: { uuid: string }): Promise<void> {
  requirePermission(actor, 'comment.write');
  await transact(ctx.db, async (tx) => {
    await lockOwn(ctx, tx, actor, uuid);
    await deleteOwned(tx.db, 'comments', actor.companyId, uuid);
  });
}

/** Gives the comments on a draft to the campaign that is created from it, in the caller's transaction. */
export async function keepCommentsOfDraft(
  tx: Tx,
  { companyId }: Owner,
  moved: { draft: string; campaign: string },
): Promise<void> {
  await moveComments(tx.db, companyId, moved);
}

/** The name of the commented entity. Throws NotFound. */
async function requireCommented(db: Db, companyId: string, on: Commented): Promise<string> {
  const name = await nameOfCommented(db, companyId, on);
  if (name === undefined) throw new NotFound(on.kind === 'campaign' ? 'Campaign' : 'Draft');
  return name;
}

async function lockOwn(ctx: Context, tx: Tx, actor: Actor, uuid: string): Promise<CommentRow> {
  const row = await lockComment(tx.db, actor.companyId, uuid);
  if (!row) throw new NotFound('Comment');
  if (row.author_uuid === null || row.author_uuid !== actor.userId)
    throw new Conflict(commentApiMessages.commentOfOther);
  if (changeableUntil(row) <= ctx.now())
    throw new Conflict(commentApiMessages.commentLate(COMMENT_CHANGE_MINUTES));
  return row;
}

async function found(tx: Tx, companyId: string, uuid: string): Promise<CommentRow> {
  const row = await findComment(tx.db, companyId, uuid);
  if (!row) throw new NotFound('Comment');
  return row;
}

/** Throws Invalid for a mention of a user who does not belong to the company, or may not read the commented entity. */
function requireMentionable(people: readonly Person[], mentions: readonly string[]): void {
  const readers = new Set(
    people.filter(({ role }) => companyRoleHas(role, 'campaign.read')).map(({ uuid }) => uuid),
  );
  if (!mentions.every((uuid) => readers.has(uuid)))
    throw new Invalid([{ field: 'mentions', message: campaignApiMessages.mentionUnknown }]);
}

const namesOf = (people: readonly Person[]): Names => new Map(people.map(({ uuid, name }) => [uuid, name]));

const changeableUntil = ({ created_at }: CommentRow) =>
  new Date(created_at.getTime() + COMMENT_CHANGE_MINUTES * 60_000);

const authorOf = ({ author_name }: CommentRow) => author_name ?? commentApiMessages.formerPerson;

function present(row: CommentRow, names: Names, { userId }: Actor, now: Date): Comment {
  const until = changeableUntil(row);
  const isChangeable = row.author_uuid !== null && row.author_uuid === userId && until > now;
  return {
    uuid: row.uuid,
    text: row.text,
    author: { uuid: row.author_uuid, name: authorOf(row) },
    mentions: row.mentions.map((uuid) => ({
      uuid,
      name: names.get(uuid) ?? commentApiMessages.formerPerson,
    })),
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    changeable_until: isChangeable ? until.toISOString() : null,
  };
}

/** Comments of one person on one thing lead to one notification of another person in this time. */
const APART_MS = 10 * 60_000;
/** Limit of users who are notified of a comment: mentioned users before earlier participants. */
const NOTIFIED_MAX = 50;

/**
 * Notifies the mentioned users and the earlier participants, authors of comments or of the draft, of a comment. Each gets a
 * notification of their own, if they still belong to the company and may read campaigns.
 */
async function notifyOfComment(
  ctx: Context,
  tx: Tx,
  companyId: string,
  comment: {
    on: Commented & { name: string };
    author: { uuid: string | null; name: string };
    mentions: readonly string[];
    /** Users of the company. */
    people: readonly Person[];
  },
): Promise<void> {
  const { on, author, mentions, people } = comment;
  const readers = new Set(
    people.filter(({ role }) => companyRoleHas(role, 'campaign.read')).map(({ uuid }) => uuid),
  );
  const concerned = [...new Set([...mentions, ...(await takingPart(tx.db, companyId, on))])];
  const notified = concerned
    .filter((uuid) => uuid !== author.uuid && readers.has(uuid))
    .slice(0, NOTIFIED_MAX);
  const period = Math.floor(ctx.now().getTime() / APART_MS);
  for (const userId of notified) {
    const isMentioned = mentions.includes(userId);
    await notify(ctx, tx, companyId, {
      kind: 'comment',
      userId,
      ...notificationMessages.commented(author.name, on.name, isMentioned),
      entity: on.kind === 'campaign' ? { type: 'campaign', uuid: on.uuid } : undefined,
      onceKey: ['comment', on.uuid, author.uuid, userId, isMentioned, period].join(' '),
    });
  }
}

/** The commented entity. */
interface Commented {
  kind: 'campaign' | 'draft';
  uuid: string;
}

/** A comment with the name of its author; null where the account is deleted. */
type CommentRow = Selectable<CommentTable> & { author_name: string | null };

const column = ({ kind }: Commented) => (kind === 'campaign' ? 'campaign_uuid' : 'draft_uuid');

const listed = (db: Db, companyId: string) =>
  db
    .selectFrom('comments as comment')
    .leftJoin('users as author', 'author.uuid', 'comment.author_uuid')
    .selectAll('comment')
    .select(personName<string | null>('author').as('author_name'))
    .where('comment.company_uuid', '=', companyId);

/** The comments on something, the oldest first. */
async function selectComments(db: Db, companyId: string, on: Commented): Promise<CommentRow[]> {
  return listed(db, companyId)
    .where(`comment.${column(on)}`, '=', on.uuid)
    .orderBy('comment.created_at')
    .orderBy('comment.uuid')
    .execute();
}

async function findComment(db: Db, companyId: string, uuid: string): Promise<CommentRow | undefined> {
  return listed(db, companyId).where('comment.uuid', '=', uuid).executeTakeFirst();
}

/** Like {@link findComment}, locked until the transaction ends. */
async function lockComment(db: Db, companyId: string, uuid: string): Promise<CommentRow | undefined> {
  return listed(db, companyId).where('comment.uuid', '=', uuid).forUpdate('comment').executeTakeFirst();
}

/** The name of a campaign or a draft; undefined where the company has none with the id. A draft may have an empty name. */
async function nameOfCommented(
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
async function lockedCommentCount(db: Db, companyId: string, on: Commented): Promise<number> {
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

/** Gives the comments on a draft to a campaign. */
async function moveComments(
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

/** A user of a company. */
interface Person {
  uuid: string;
  role: CompanyRole;
  name: string;
}

/** The participants: authors of comments, and of the draft. Some may no longer belong to the company. */
async function takingPart(db: Db, companyId: string, on: Commented): Promise<string[]> {
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
async function peopleWithRoles(db: Db, companyId: string): Promise<Person[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select(['users.uuid', 'memberships.role'])
    .select(personName('users').as('name'))
    .where('memberships.company_uuid', '=', companyId)
    .execute();
}
