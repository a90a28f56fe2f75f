import { type Insertable, type Selectable, sql } from 'kysely';
import type { MessageLane, MessageTable } from '../../platform/postgres/message-table.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { Claimable } from './lanes.ts';

// The functions of this file cross companies: they serve the job that sends the messages of all companies, and messages without one.

export type MessageRow = Selectable<MessageTable>;

export async function insertMessage(db: Db, row: Insertable<MessageTable>): Promise<void> {
  await db.insertInto('messages').values(row).execute();
}

/** Deletes the messages of a kind about something: another one takes their place, or they are of no use any more. */
export async function deleteMessagesAbout(db: Db, kind: string, about: string): Promise<void> {
  await db.deleteFrom('messages').where('kind', '=', kind).where('about', '=', about).execute();
}

/** Most messages that a choice considers. */
const CONSIDERED_MAX = 1000;

const owner = sql<string>`coalesce(m.company_uuid, m.user_uuid, m.uuid)`;
/** The messages of a lane that are being sent, whichever process sends them. */
export async function busyMessages(db: Db, lane: MessageLane, now: Date): Promise<Claimable[]> {
  const { rows } = await sql<Claimable>`
    select m.uuid, ${owner} as owner, m.queue, m.host, m.attempts > 1 as "isAgain"
    from messages m where m.lane = ${lane} and m.claimed_until > ${now}`.execute(db);
  return rows;
}

/**
 * The messages of a lane that may be sent, in the order of their times: the oldest of each queue without one being sent, and of each owner
 * at most `perOwner` first and `perOwner` further tries, half of them to one host.
 */
export async function dueMessages(
  db: Db,
  { lane, kinds, now, perOwner }: { lane: MessageLane; kinds: string[]; now: Date; perOwner: number },
): Promise<Claimable[]> {
  const { rows } = await sql<Claimable>`
    with heads as (
      select distinct on (m.queue) m.uuid, ${owner} as owner, m.queue, m.host, m.due_at
      from messages m
      where m.lane = ${lane} and m.kind = any(${kinds}::text[]) and m.due_at <= ${now}
        and (m.claimed_until is null or m.claimed_until <= ${now})
        and not exists (
          select from messages busy where busy.queue = m.queue and busy.attempts > 0 and busy.claimed_until > ${now})
      order by m.queue, m.due_at, m.uuid
    ), due as (
      select heads.*, exists (
        select from messages tried where tried.queue = heads.queue and tried.attempts > 0) as "isAgain"
      from heads
    ), at_hosts as (
      select due.*, row_number() over (partition by owner, host, "isAgain" order by due_at, uuid) as place_at_host from due
    ), ranked as (
      select at_hosts.*, row_number() over (partition by owner, "isAgain" order by due_at, uuid) as place from at_hosts
      where place_at_host <= ${Math.ceil(perOwner / 2)}
    )
    select uuid, owner, queue, host, "isAgain" from ranked where place <= ${perOwner}
    order by place, due_at, uuid limit ${CONSIDERED_MAX}`.execute(db);
  return rows;
}

/** Claims messages until `until`, when another process may take them over. Resolves to the messages that no other process has claimed meanwhile. */
export async function claimMessages(
  db: Db,
  { uuids, now, until }: { uuids: string[]; now: Date; until: Date },
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    with chosen as (
      select uuid from messages
      where uuid = any(${uuids}::uuid[]) and due_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
      for update skip locked
    )
    update messages m set attempts = m.attempts + 1, claimed_until = ${until}
    from chosen where m.uuid = chosen.uuid
    returning m.*`.execute(db);
  return rows;
}

/** A claim. The number of the try distinguishes it from a later claim by another process. */
type Claim = Pick<MessageRow, 'uuid' | 'attempts'>;

/** Sets the content of a claimed message. False in the cases of {@link deleteClaimed}. */
export async function setClaimedContent(
  db: Db,
  { uuid, attempts }: Claim,
  content: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ content })
    .where('uuid', '=', uuid)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Extends claims that are still valid, so that no other process takes their messages over. */
export async function renewClaims(db: Db, claims: readonly Claim[], until: Date): Promise<void> {
  await sql`
    update messages m set claimed_until = ${until}
    from unnest(${claims.map(({ uuid }) => uuid)}::uuid[], ${claims.map(({ attempts }) => attempts)}::int[])
      as claim (uuid, attempts)
    where m.uuid = claim.uuid and m.attempts = claim.attempts and m.claimed_until is not null`.execute(db);
}

/** Ends a claimed message. False where another process has taken it over, or another message its place. */
export async function deleteClaimed(db: Db, { uuid, attempts }: Claim): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('messages')
    .where('uuid', '=', uuid)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Makes a claimed message wait until an instant, with this number of attempts. False in the cases of {@link deleteClaimed}. */
export async function delayClaimed(
  db: Db,
  { uuid, attempts }: Claim,
  after: { attempts: number; dueAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ attempts: after.attempts, due_at: after.dueAt, claimed_until: null })
    .where('uuid', '=', uuid)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes messages whose time is over, also of kinds that no process sends. Resolves to their number. */
export async function deleteExpiredMessages(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('messages')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The waiting messages of a lane. */
export interface LaneBacklog {
  lane: MessageLane;
  waiting: number;
  /** Time for which the oldest message is overdue; 0 where none is. */
  overdueSeconds: number;
}

/** The waiting messages in each lane that has any. */
export async function readBacklog(db: Db, now: Date): Promise<LaneBacklog[]> {
  const { rows } = await sql<LaneBacklog>`
    select lane, count(*)::int as waiting,
      greatest(0, extract(epoch from ${now}::timestamptz - min(created_at) filter (where due_at <= ${now})))::float8 as "overdueSeconds"
    from messages group by lane`.execute(db);
  return rows;
}
