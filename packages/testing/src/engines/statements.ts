import { AsyncLocalStorage } from 'node:async_hooks';
import { type KyselyPlugin, PostgresQueryCompiler, sql } from 'kysely';
import type { Context } from '@bidwell/server/context';
import type { Database } from '@bidwell/server/platform/postgres/client';

/** Runs SELECT 1, the cheapest query. */
export async function selectOne(db: Database): Promise<number> {
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);
  return rows[0]!.one;
}

/** The SQL statements that `work` runs on the engines' database, without begin and commit, and without the jobs that run meanwhile. */
export async function statementsOf(ctx: Context, work: () => Promise<unknown>): Promise<string[]> {
  const { db } = ctx;
  const statements: string[] = [];
  const ofWork = new AsyncLocalStorage<true>();
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (ofWork.getStore()) statements.push(new PostgresQueryCompiler().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  ctx.db = db.withPlugin(recorder);
  try {
    await ofWork.run(true, work);
  } finally {
    ctx.db = db;
  }
  return statements;
}

/** Number of {@link statementsOf} `work`. */
export async function countStatements(ctx: Context, work: () => Promise<unknown>): Promise<number> {
  return (await statementsOf(ctx, work)).length;
}
