import { type Migration, sql } from 'kysely';

/**
 * The messages that wait to leave the server. A row ends when its message was sent or given up, and with the company or the person that
 * it belongs to. 0.1.0 neither reads nor writes it.
 */
export const messages: Migration = {
  async up(db) {
    await sql`
      create table messages (
        uuid uuid primary key,
        kind text not null,
        about text not null,
        lane text not null,
        company_uuid uuid references companies on delete cascade,
        user_uuid uuid references users on delete cascade,
        queue text not null,
        host text not null,
        content text,
        attempts int not null default 0,
        due_at timestamptz not null,
        claimed_until timestamptz,
        expires_at timestamptz,
        created_at timestamptz not null
      )`.execute(db);
    await sql`create index messages_due on messages (lane, due_at)`.execute(db);
    await sql`create index messages_claimed on messages (lane, claimed_until) where claimed_until is not null`.execute(
      db,
    );
    await sql`create index messages_retried on messages (queue) where attempts > 0`.execute(db);
    await sql`create index messages_about on messages (kind, about)`.execute(db);
    await sql`create index messages_company on messages (company_uuid)`.execute(db);
    await sql`create index messages_user on messages (user_uuid)`.execute(db);
  },
};
