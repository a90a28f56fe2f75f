import { type Migration, sql } from 'kysely';

/** Audiences that measurement partners send: by which name or id a partner knows one, and the address of the file of an import. */
export const partnerAudiences: Migration = {
  async up(db) {
    await sql`alter table audiences add column partner_key text`.execute(db);
    await sql`
      create unique index audiences_partner on audiences (company_uuid, partner_key)
      where partner_key is not null`.execute(db);
    await sql`alter table audience_imports add column source_url text`.execute(db);
  },
};
