import { PostgresQueryCompiler, sql } from 'kysely';
import type { KyselyPlugin } from 'kysely';
import type { Engines } from '@bidwell/server/context';
import type { Database } from '@bidwell/server/platform/postgres/client';

/** Runs SELECT 1, the cheapest query. */
export async function selectOne(db: Database): Promise<number> {
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  return rows[0]!.one;
}

/** The SQL statements that `work` runs on the engines' database, without begin and commit. */
export async function statementsOf(engines: Engines, work: () => Promise<unknown>): Promise<string[]> {
  const { db } = engines;
  const statements: string[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      statements.push(new PostgresQueryCompiler().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  engines.db = db.withPlugin(recorder);
  try {
    await work();
  } finally {
    engines.db = db;
  }
  return statements;
}

/** Number of {@link statementsOf} `work`. */
export async function countStatements(engines: Engines, work: () => Promise<unknown>): Promise<number> {
  return (await statementsOf(engines, work)).length;
}
