import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../context.ts';
import { type Mail, type MailLane, isPermanentRefusal } from '../../platform/mail/mailer.ts';
import type { MessageLane } from '../../platform/postgres/message-table.ts';
import type { Db, Tx } from '../../platform/postgres/transaction.ts';
import { deleteMessagesAbout, insertMessage, setClaimedContent } from './message-store.ts';
import type { Place } from '../../platform/encryption.ts';

/** A message that is being sent. */
export interface Message {
  /** Also the idempotency key at the receiver: it stays the same in each try. */
  uuid: string;
  about: string;
  companyId: string | null;
  userId: string | null;
  /** Number of this try, from 1. */
  attempts: number;
  /** In plain text; null where the message is made of other tables, and where the key of its content is lost. */
  content: string | null;
}

/** The outcome of a try. `settle` runs in the transaction that ends the message or stores its next try, at `nextAt`; null for none. */
export type Outcome = (
  | { result: 'sent' }
  /** It is of no use any more. */
  | { result: 'dropped' }
  /** `reason` is logged: it has no address and no content. */
  | { result: 'failed'; reason: string; isFinal: boolean }
  /** It counts as not tried. */
  | { result: 'postponed'; until: Date }
) & { settle?: (tx: Tx, nextAt: Date | null) => Promise<void> };

/** The dependencies of a try on its process. */
export interface Sending {
  /** Aborts when the process stops: no more work may begin. */
  stopping: AbortSignal;
  /** Aborts a second later: sending has to stop. */
  cutOff: AbortSignal;
}

/** A kind of messages: how urgent they are, and how one is sent. */
export interface MessageKind {
  name: string;
  lane: MessageLane;
  retries: RetryPlan;
  /** Tries a message once. One that rejects is tried again when its claim ends. */
  send(ctx: Context, message: Message, sending: Sending): Promise<Outcome>;
  /** Ends the subject of the message, if it waits separately, in the transaction that gives the message up after an error of this server. */
  giveUp?(ctx: Context, tx: Tx, message: Message): Promise<void>;
}

/** A message to queue. */
export interface NewMessage {
  /** The id of its subject, by which logs name it. */
  about: string;
  companyId?: string;
  userId?: string;
  /** Messages of one queue leave one at a time; without one it waits for no other message. */
  queue?: string;
  /** The receiving host. */
  host: string;
  /** Encrypted in the database until it is sent or given up. */
  content?: string;
  /** Tries that it had before it was queued. */
  attempts?: number;
  dueAt?: Date;
  expiresAt?: Date;
}

/**
 * Queues a message in the transaction of its subject: it leaves if that is committed, also after a stop or a kill, the next time that a
 * messenger looks.
 */
export async function queueMessage(
  ctx: Pick<Context, 'encryption' | 'now'>,
  tx: Tx,
  { name, lane }: Pick<MessageKind, 'name' | 'lane'>,
  message: NewMessage,
): Promise<void> {
  const uuid = uuidv7();
  const now = ctx.now();
  const { about, companyId, userId, queue, host, content, attempts, dueAt, expiresAt } = message;
  await insertMessage(tx.db, {
    uuid,
    kind: name,
    about,
    lane,
    company_uuid: companyId ?? null,
    user_uuid: userId ?? null,
    queue: queue ?? uuid,
    host,
    content: content === undefined ? null : ctx.encryption.encrypt(content, contentPlace(uuid)),
    attempts: attempts ?? 0,
    due_at: dueAt ?? now,
    claimed_until: null,
    expires_at: expiresAt ?? null,
    created_at: now,
  });
}

/** Removes the messages of a kind about something. One that is being sent may still arrive. */
export async function removeMessages(
  db: Db,
  { name }: Pick<MessageKind, 'name'>,
  about: string,
): Promise<void> {
  await deleteMessagesAbout(db, name, about);
}

/**
 * Stores what a message carries before it is tried, so that further tries carry the same. False where another process has taken it over, or another
 * message its place.
 */
export async function keepContent(
  ctx: Pick<Context, 'db' | 'encryption'>,
  message: Pick<Message, 'uuid' | 'attempts'>,
  content: string,
): Promise<boolean> {
  return setClaimedContent(ctx.db, message, ctx.encryption.encrypt(content, contentPlace(message.uuid)));
}

/** Mails that a person waits for: about an hour. */
const AWAITED = doubling({ firstMs: 15_000, maxMs: 5 * 60_000, tries: 16 });
/** Mails that are useful within a day: 13 to 26 hours by chance. */
export const WITHIN_A_DAY = doubling({ firstMs: 60_000, maxMs: 2 * 3_600_000, tries: 20 });

/** A kind of mails that are made of a content when they are sent. */
export interface MailKind<Content> extends MessageKind {
  /** Queues a mail, which is sent at once; see {@link queueMessage}. */
  queue(
    ctx: Pick<Context, 'encryption' | 'now' | 'onMessageQueued'>,
    tx: Tx,
    mail: Omit<NewMessage, 'content' | 'host' | 'queue'> & { to: string; content: Content },
  ): Promise<void>;
}

/**
 * Declares a kind of mails. `compose` makes the mail, with the brand of that moment; null for one that is of no use any more, such as a link
 * that was used.
 */
export function mailKind<Content>({
  name,
  lane,
  compose,
}: {
  name: string;
  lane: 'awaited' | 'today_mail';
  compose: (ctx: Context, content: Content, message: Message) => Promise<Omit<Mail, 'to'> | null>;
}): MailKind<Content> {
  return {
    name,
    lane,
    retries: lane === 'awaited' ? AWAITED : WITHIN_A_DAY,
    async queue(ctx, tx, { to, content, ...message }) {
      const sealed = JSON.stringify({ to, content });
      await queueMessage(ctx, tx, { name, lane }, { ...message, host: domainOf(to), content: sealed });
      tx.afterCommit(() => ctx.onMessageQueued(lane));
    },
    async send(ctx, message, { cutOff }) {
      if (message.content === null) return { result: 'failed', reason: 'its key is lost', isFinal: true };
      const { to, content } = JSON.parse(message.content) as { to: string; content: Content };
      const mail = await compose(ctx, content, message);
      return mail
        ? sendMail(ctx, { mail: { ...mail, to, id: message.uuid }, lane, cutOff })
        : { result: 'dropped' };
    },
  };
}

/** Sends a mail once. */
export async function sendMail(
  { mailer }: Pick<Context, 'mailer'>,
  { mail, lane, cutOff }: { mail: Mail; lane: MailLane; cutOff: AbortSignal },
): Promise<Extract<Outcome, { result: 'sent' | 'failed' }>> {
  if (!mailer) return { result: 'failed', reason: 'this server sends no mail', isFinal: false };
  try {
    await mailer.sendOnce(mail, cutOff, lane);
    return { result: 'sent' };
  } catch (error) {
    return { result: 'failed', reason: failureOf(error), isFinal: isPermanentRefusal(error) };
  }
}

/** The domain of a mail address, by which mails are held back if the mail server takes long for it. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** Why a mail was not sent, without the reply of the mail server, which may name the address. */
export function failureOf(error: unknown): string {
  const { responseCode, command, code, name } = error as Partial<{
    responseCode: number;
    command: string;
    code: string | number;
    name: string;
  }>;
  if (responseCode !== undefined) return `the reply ${responseCode}${command ? ` to ${command}` : ''}`;
  return typeof code === 'string' ? code : (name ?? 'an error');
}

/** When a message is tried again, and when it is given up. */
interface RetryPlan {
  /** Delays from one try to the next, ms; after the last one a message is given up. */
  delaysMs: readonly number[];
  /** Each delay is multiplied by a random number between these, so that messages that failed together are not tried together. */
  jitter: readonly [least: number, most: number];
}

/** Delays that double up to a maximum, each shorter by up to half at random; `tries` in all. Pure. */
export function doubling({
  firstMs,
  maxMs,
  tries,
}: {
  firstMs: number;
  maxMs: number;
  tries: number;
}): RetryPlan {
  const delaysMs = Array.from({ length: tries - 1 }, (_, count) => Math.min(maxMs, firstMs * 2 ** count));
  return { delaysMs, jitter: [0.5, 1] };
}

/** When a message is tried again that was tried `attempts` times, the last time at `now`; null for no more. Pure. */
export function nextTry(
  { delaysMs, jitter: [least, most] }: RetryPlan,
  { attempts, now, random = Math.random }: { attempts: number; now: Date; random?: () => number },
): Date | null {
  const delayMs = delaysMs[attempts - 1];
  if (delayMs === undefined) return null;
  return new Date(now.getTime() + delayMs * (least + random() * (most - least)));
}

/** Where the content of a message is stored. */
export function contentPlace(uuid: string): Place {
  return { table: 'messages', column: 'content', row: uuid };
}
