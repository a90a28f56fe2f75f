import { type Migration, sql } from 'kysely';

/** Read-only sessions of operators in the consoles of companies, each opened with a code that works once. */
export const viewerSessions: Migration = {
  async up(db) {
    await sql`
      create table viewer_sessions (
        uuid uuid primary key,
        operator_uuid uuid references operators (uuid),
        company_uuid uuid not null references companies (uuid),
        user_uuid uuid not null references users (uuid),
        code_hash text not null unique,
        opened_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index viewer_sessions_expiry on viewer_sessions (expires_at)`.execute(db);
  },
};
