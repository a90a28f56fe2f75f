import { expect, test } from 'vitest';
import { examples } from './all-examples.ts';

test.each(examples)('the example of $id is valid by its own schema', ({ schema, example }) => {
  expect(schema.safeParse(example).error?.issues ?? []).toEqual([]);
});
