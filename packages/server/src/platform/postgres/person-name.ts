import { type RawBuilder, sql } from 'kysely';

/** The name of a person in a query over `users` by the name `table`; null where no person is joined. Pure. */
export function personName<T extends string | null = string>(table: string): RawBuilder<T> {
  return sql<T>`trim(${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)})`;
}
