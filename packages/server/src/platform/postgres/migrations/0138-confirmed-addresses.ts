import { type Migration, sql } from 'kysely';

/**
 * When the holder of a mail address confirmed it, of people and of billing details, and how many mails an address got on a day. Addresses
 * from before count as confirmed, so that their mails go on. Earlier releases mail without asking, and do not count.
 */
export const confirmedAddresses: Migration = {
  async up(db) {
    for (const table of ['users', 'billing_details']) {
      const name = sql.table(table);
      await sql`alter table ${name} add column email_confirmed_at timestamptz default now()`.execute(db);
      await sql`alter table ${name} alter column email_confirmed_at drop default`.execute(db);
    }
    await sql`
      create table mail_counts (
        address_digest text not null,
        kind text not null,
        day date not null,
        count integer not null,
        primary key (address_digest, kind, day)
      )`.execute(db);
    await sql`create index mail_counts_day on mail_counts (day)`.execute(db);
  },
};
