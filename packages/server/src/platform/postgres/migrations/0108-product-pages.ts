import { type Migration, sql } from 'kysely';

/** Custom product pages and SKOverlay of ad sets. An earlier release writes rows without, and leaves those of others as they are. */
export const productPages: Migration = {
  async up(db) {
    await sql`alter table adsets
      add column product_page_id uuid,
      add column overlay jsonb`.execute(db);
  },
};
