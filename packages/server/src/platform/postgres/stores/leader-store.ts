import { sql } from 'kysely';
import type { Database } from '../client.ts';

/**
 * Holds the leadership `name` for another `holdMs`, or takes it over where its holder let it expire. Resolves with its epoch,
 * which grows with each change of the holder; null while another process holds it. The database's clock decides.
 */
export async function holdLeadership(
  db: Database,
  name: string,
  holder: string,
  holdMs: number,
): Promise<number | null> {
  const { rows } = await sql<{ epoch: number }>`
    insert into leaders as l (name, holder, epoch, held_until)
    values (${name}, ${holder}, 1, clock_timestamp() + ${holdMs}::int * interval '1 millisecond')
    on conflict (name) do update set
      holder = excluded.holder,
      epoch = l.epoch + case when l.holder = excluded.holder then 0 else 1 end,
      held_until = excluded.held_until
    where l.holder = excluded.holder or l.held_until < clock_timestamp()
    returning epoch`.execute(db);
  return rows[0]?.epoch ?? null;
}

/** Ends the holder's leadership, so that another process takes it over at once. */
export async function releaseLeadership(db: Database, name: string, holder: string): Promise<void> {
  await sql`
    update leaders set held_until = '-infinity' where name = ${name} and holder = ${holder}`.execute(db);
}
