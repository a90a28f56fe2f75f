import { PGlite } from '@electric-sql/pglite';
import { type Database, openPostgres } from '@bidwell/server/platform/postgres/client';
import { inThread } from './pglite-in-thread.ts';

/** A dump of a migrated PGlite folder with the data of `fill`; a server starts from it in a fraction of initdb's time. */
export async function postgresSnapshot(
  fill: (db: Database) => Promise<void> = async () => {},
): Promise<Blob> {
  const pglite = new PGlite();
  const db = await openPostgres({ embedded: inThread(pglite) });
  await fill(db);
  const dump = await pglite.dumpDataDir('none');
  await db.destroy();
  return dump;
}
