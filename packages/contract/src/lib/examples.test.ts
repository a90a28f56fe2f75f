import { expect, test } from 'vitest';
import { examples } from './examples.ts';

test.each(examples)('the example of $name is valid by its own schema', ({ schema, example }) => {
  expect(schema.safeParse(example).error?.issues ?? []).toEqual([]);
});
