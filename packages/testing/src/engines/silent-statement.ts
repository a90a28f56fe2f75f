import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';

/** A stand-in for a disk that does not respond, in the folder of an embedded PostgreSQL. */
export interface SilentStatement {
  /** A statement that occupies its thread until {@link answer}. */
  statement: RawBuilder<unknown>;
  /** Lets the statement end. */
  answer(): Promise<void>;
}

/** A statement that runs until a file is there. One at a time in a `folder`. */
export async function silentStatement(folder: string): Promise<SilentStatement> {
  const path = join(folder, 'answer');
  await rm(path, { force: true });
  return {
    statement: sql`
      do $$ begin
        while (pg_stat_file('answer', true)).size is null loop end loop;
      end $$`,
    answer: async () => writeFile(path, ''),
  };
}
