import type { z } from 'zod';

/** A UUID of an example. The same number is the same entity in all examples. */
export const exampleUuid = (last: number): string =>
  `01938f3e-5d20-7c41-9a6b-0000000000${String(last).padStart(2, '0')}`;

/** When an entity of an example was created and changed. */
export const exampleTimes = {
  created_at: '2026-03-02T09:15:00.000Z',
  updated_at: '2026-03-02T09:15:00.000Z',
  archived_at: null,
};

/** The days of a report of an example. */
export const exampleRange = { start_date: '2026-03-01', end_date: '2026-03-07' };

/** An example of a schema of the API. */
export interface Example {
  schema: z.ZodType;
  example: unknown;
  /** The name of the schema in the OpenAPI document; absent where it has none. */
  id?: string;
}

/** An example of a schema, and the name that the schema has in the OpenAPI document, if any. */
export const exampleOf = <T extends z.ZodType>(schema: T, example: z.input<T>, id?: string): Example => ({
  schema,
  example,
  ...(id !== undefined && { id }),
});
