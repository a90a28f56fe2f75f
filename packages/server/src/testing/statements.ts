import { sql } from 'kysely';
import type { KyselyPlugin } from 'kysely';
import type { Engines } from '../engines.ts';
import type { Database } from '../platform/postgres/client.ts';

/** Runs SELECT 1, the cheapest query. */
export async function selectOne(db: Database): Promise<number> {
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  return rows[0]!.one;
}

/** Counts the SQL statements that `work` runs on the engines' database, without begin and commit. */
export async function countStatements(engines: Engines, work: () => Promise<unknown>): Promise<number> {
  const { db } = engines;
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  engines.db = db.withPlugin(counter);
  try {
    await work();
  } finally {
    engines.db = db;
  }
  return statements;
}
