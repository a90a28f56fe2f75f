import { type Migration, sql } from 'kysely';

/** Which notices of an exchange the device calls, so that their price does not lower a charge. */
export const deviceNotices: Migration = {
  async up(db) {
    await sql`
      alter table ssps
        add column device_notices text not null default 'none' check (device_notices in ('none', 'billing', 'all'))`.execute(
      db,
    );
  },
};
