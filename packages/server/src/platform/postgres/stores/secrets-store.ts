import type { Database } from '../client.ts';

/** Returns the secrets that all servers of this database share: the first server to offer its own decides. */
export async function shareSecrets<Name extends string>(
  db: Database,
  own: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  const names = Object.keys(own) as Name[];
  await db
    .insertInto('shared_secrets')
    .values(names.map((name) => ({ name, value: own[name] })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const rows = await db
    .selectFrom('shared_secrets')
    .select(['name', 'value'])
    .where('name', 'in', names)
    .execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value])) as Record<Name, string>;
}
