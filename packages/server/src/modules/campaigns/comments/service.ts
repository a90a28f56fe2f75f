import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import {
  COMMENTS_MAX,
  COMMENT_CHANGE_MINUTES,
  type Comment,
  type CommentInput,
  type CommentUpdate,
} from '@bidwell/contract/comments/schema';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import {
  type CommentRow,
  type Commented,
  type Person,
  deleteCommentRow,
  findComment,
  insertComment,
  listComments as listRows,
  lockComment,
  lockedCommentCount,
  moveComments,
  nameOfCommented,
  peopleWithRoles,
  updateCommentText,
} from './store.ts';
import { notifyOfComment } from './notify-people.ts';

/** Names of the people of a company, by their ids. */
type Names = ReadonlyMap<string, string>;

/** The comments on a campaign or a draft of the actor's company, the oldest first. Throws NotFound. */
export async function listComments(ctx: Context, actor: Actor, on: Commented): Promise<Comment[]> {
  requirePermission(actor, 'campaign.read');
  const { companyId } = actor;
  await requireCommented(ctx.db, companyId, on);
  const names = namesOf(await peopleWithRoles(ctx.db, companyId));
  return (await listRows(ctx.db, companyId, on)).map((row) => present(row, names, actor, ctx.now()));
}

/**
 * Comments on a campaign or a draft. Whom it mentions, and who took part before, is notified. Throws NotFound; Invalid for a mention of
 * somebody who does not belong to the company or may not read campaigns; Conflict at the limit.
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
    if (count >= COMMENTS_MAX) throw new Conflict(apiMessages.commentsMax(COMMENTS_MAX));
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

/** Changes the text of the actor's own comment. Throws NotFound; Conflict for one of somebody else, and after its time. */
export async function changeComment(
  ctx: Context,
  actor: Actor,
  uuid: string,
  { text }: CommentUpdate,
): Promise<Comment> {
  requirePermission(actor, 'comment.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const before = await lockOwn(ctx, tx, actor, uuid);
    if (before.text !== text) await updateCommentText(tx.db, companyId, { uuid, text, at: ctx.now() });
    const names = namesOf(await peopleWithRoles(tx.db, companyId));
    return present(await found(tx, companyId, uuid), names, actor, ctx.now());
  });
}

/** Deletes the actor's own comment. Throws as {@link changeComment} does. */
export async function deleteComment(ctx: Context, actor: Actor, uuid: string): Promise<void> {
  requirePermission(actor, 'comment.write');
  await transact(ctx.db, async (tx) => {
    await lockOwn(ctx, tx, actor, uuid);
    await deleteCommentRow(tx.db, actor.companyId, uuid);
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

/** The name of what is commented on. Throws NotFound. */
async function requireCommented(db: Db, companyId: string, on: Commented): Promise<string> {
  const name = await nameOfCommented(db, companyId, on);
  if (name === undefined) throw new NotFound(on.kind === 'campaign' ? 'Campaign' : 'Draft');
  return name;
}

async function lockOwn(ctx: Context, tx: Tx, actor: Actor, uuid: string): Promise<CommentRow> {
  const row = await lockComment(tx.db, actor.companyId, uuid);
  if (!row) throw new NotFound('Comment');
  if (row.author_uuid === null || row.author_uuid !== actor.userId)
    throw new Conflict(apiMessages.commentOfOther);
  if (changeableUntil(row) <= ctx.now()) throw new Conflict(apiMessages.commentLate(COMMENT_CHANGE_MINUTES));
  return row;
}

async function found(tx: Tx, companyId: string, uuid: string): Promise<CommentRow> {
  const row = await findComment(tx.db, companyId, uuid);
  if (!row) throw new NotFound('Comment');
  return row;
}

/** Throws Invalid where somebody is mentioned who does not belong to the company, or may not read what is commented on. */
function requireMentionable(people: readonly Person[], mentions: readonly string[]): void {
  const readers = new Set(
    people.filter(({ role }) => companyRoleHas(role, 'campaign.read')).map(({ uuid }) => uuid),
  );
  if (!mentions.every((uuid) => readers.has(uuid)))
    throw new Invalid([{ field: 'mentions', message: messages.mentionUnknown }]);
}

const namesOf = (people: readonly Person[]): Names => new Map(people.map(({ uuid, name }) => [uuid, name]));

const changeableUntil = ({ created_at }: CommentRow) =>
  new Date(created_at.getTime() + COMMENT_CHANGE_MINUTES * 60_000);

const authorOf = ({ author_name }: CommentRow) => author_name ?? apiMessages.formerPerson;

function present(row: CommentRow, names: Names, { userId }: Actor, now: Date): Comment {
  const until = changeableUntil(row);
  const isChangeable = row.author_uuid !== null && row.author_uuid === userId && until > now;
  return {
    uuid: row.uuid,
    text: row.text,
    author: { uuid: row.author_uuid, name: authorOf(row) },
    mentions: row.mentions.map((uuid) => ({ uuid, name: names.get(uuid) ?? apiMessages.formerPerson })),
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    changeable_until: isChangeable ? until.toISOString() : null,
  };
}
