import { type Migration, sql } from 'kysely';

/** When a company is alerted. Earlier releases neither read nor write it, and do not alert before the balance is used up. */
export const alertSettings: Migration = {
  async up(db) {
    await sql`
      create table alert_settings (
        company_uuid uuid primary key references companies on delete cascade,
        balance_low_micros bigint
      )`.execute(db);
  },
};
