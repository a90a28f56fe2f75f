import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { normalAddress } from '../../platform/mail/normal-address.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Most mails of a kind to one address in a day (UTC), of all companies together, so that no one can fill the mailbox of another person. */
const MAILS_PER_DAY = {
  confirmation: 5,
  invitation: 5,
  password: 10,
  account: 100,
  alerts: 300,
  report: 100,
  invoice: 200,
} as const;
export type MailKind = keyof typeof MAILS_PER_DAY;

/** Counts a mail of a kind to an address. False beyond the limit of a day: the caller must not send it. */
export async function countMail(db: Db, mail: { to: string; kind: MailKind; at: Date }): Promise<boolean> {
  const { to, kind, at } = mail;
  const address_digest = createHash('sha256').update(normalAddress(to)).digest('hex');
  const counted = await db
    .insertInto('mail_counts')
    .values({ address_digest, kind, day: at.toISOString().slice(0, 10), count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['address_digest', 'kind', 'day'])
        .doUpdateSet({ count: sql`mail_counts.count + 1` })
        .where('mail_counts.count', '<', MAILS_PER_DAY[kind]),
    )
    .returning('count')
    .executeTakeFirst();
  return counted !== undefined;
}

/** Deletes the counts of days before the day of an instant. */
export async function deleteMailCounts(db: Db, at: Date): Promise<number> {
  const deleted = await db
    .deleteFrom('mail_counts')
    .where('day', '<', at.toISOString().slice(0, 10))
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
