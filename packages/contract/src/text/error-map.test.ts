import * as fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import './error-map.ts';
import { messages } from './messages.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!endpoints|\.test)\.ts$/.test(name),
);
const modules = await Promise.all(
  files.map(
    async (name) =>
      [name, (await import(/* @vite-ignore */ join(folder, name))) as Record<string, unknown>] as const,
  ),
);
const schemas = modules.flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]) =>
    value instanceof z.ZodType ? [{ name: `${file} ${name}`, schema: value }] : [],
  ),
);

/** Matches Zod's default messages. */
const ownWords =
  /Invalid (?:input|option|string|key|element|number|discriminator|UUID|email|URL|ISO|date|time)|Unrecognized|Too (?:big|small)|expected|to have [<>]=?\d|received/i;

const junk = [
  undefined,
  null,
  '',
  ' ',
  'x',
  'x'.repeat(3000),
  0,
  -1,
  0.001,
  1e300,
  true,
  [],
  ['x'],
  {},
  { x: 1 },
];

/** Values that are wrong for most schemas, alone and in each field of an object. */
function inputsOf(schema: z.ZodType): unknown[] {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const inEach = (value: unknown) => Object.fromEntries(fields.map((field) => [field, value]));
  return junk.flatMap((value) => [value, inEach(value), inEach([value]), inEach({ uuid: value, id: value })]);
}

test('every schema reports its errors in plain words', () => {
  expect(schemas.length).toBeGreaterThan(60);
  const unclear = schemas.flatMap(({ name, schema }) =>
    inputsOf(schema)
      .flatMap((input) => schema.safeParse(input).error?.issues ?? [])
      .filter(({ message }) => message === '' || ownWords.test(message))
      .map(({ path, message }) => `${name} ${path.join('.')}: ${message}`),
  );
  expect([...new Set(unclear)]).toEqual([]);
});

test('a value of the wrong type is never called missing', () => {
  const wrong = schemas.flatMap(({ name, schema }) =>
    inputsOf(schema)
      .flatMap((input) => schema.safeParse(input, { reportInput: true }).error?.issues ?? [])
      .filter(
        ({ code, input, message }) =>
          code === 'invalid_type' &&
          input !== undefined &&
          input !== null &&
          input !== '' &&
          !Number.isNaN(input) &&
          message === messages.required,
      )
      .map(({ path }) => `${name} ${path.join('.')}`),
  );
  expect([...new Set(wrong)]).toEqual([]);
});

test('a strict object names unknown fields', () => {
  const strict = z.strictObject({ name: z.string() });
  expect(strict.safeParse({ name: 'x', nam: 1 }).error?.issues[0]?.message).toBe('There is no field “nam”');
  const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`k${index}`, 1]));
  expect(strict.safeParse({ name: 'x', ...many }).error?.issues[0]?.message).toMatch(
    /^There is no field “k0”, (“k\d”, ){8}“k9” and 1\s490 more$/,
  );
  expect(z.enum(['a', 'b']).safeParse('c').error?.issues[0]?.message).toBe('Choose one of a, b');
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { error } = z.strictObject({ list: z.array(z.int().max(3)), of: z.enum(['a']) }).safeParse(value);
      for (const { message } of error?.issues ?? []) expect(message).not.toMatch(ownWords);
    }),
  );
});
