import { sql } from 'kysely';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestApp } from './test-app.ts';

/** All that a server stores, in lower case: the rows of all tables of both databases, and the files of its logs. */
export async function everythingStored({ ctx }: Pick<TestApp, 'ctx'>): Promise<string> {
  const { clickhouse, db, config } = ctx;
  const texts: string[] = [];
  const tables = await clickhouse.query<{ name: string }>(
    'select name from system.tables where database = currentDatabase()',
  );
  for (const { name } of tables) texts.push(JSON.stringify(await clickhouse.query(`select * from ${name}`)));
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  for (const { name } of rows) {
    const found = await sql`select t::text from ${sql.table(name)} t`.execute(db);
    texts.push(JSON.stringify(found.rows));
  }
  for (const log of ['event-log', 'postback-log']) texts.push(...(await textsIn(join(config.dataDir, log))));
  return texts.join('\n').toLowerCase();
}

/** The files of a log. Begins again when one was removed meanwhile: its content may be in a file that was not listed. */
async function textsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  try {
    return await Promise.all(paths.map((path) => readFile(path, 'latin1')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return textsIn(folder);
  }
}
