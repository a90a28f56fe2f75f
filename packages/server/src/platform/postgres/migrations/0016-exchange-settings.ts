import { type Migration, sql } from 'kysely';

/** Seat, secret and limits of an exchange; and keys of notifications that all processes together make once. */
export const exchangeSettings: Migration = {
  async up(db) {
    await sql`
      alter table ssps
        add column seat text not null default 'bidwell',
        add column previous_secret text,
        add column previous_secret_until timestamptz,
        add column open boolean not null default false,
        add column answer_bytes_max integer`.execute(db);
    // An exchange without a secret was open to everyone: it gets one, and a day in which its old address still works.
    await sql`
      update ssps set
        secret = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
        previous_secret = '',
        previous_secret_until = now() + interval '24 hours'
      where secret is null`.execute(db);
    await sql`alter table notifications add column once_key text`.execute(db);
    await sql`
      create unique index notifications_once on notifications (company_uuid, once_key) where once_key is not null`.execute(
      db,
    );
  },
};
