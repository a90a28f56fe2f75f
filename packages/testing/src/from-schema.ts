import fc from 'fast-check';
import type { ApiDocument, JsonSchema } from '@bidwell/server/platform/http/openapi/page';

/** Values that violate schemas: wrong types, extremes, and texts that break careless code. */
const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -1,
    1e308,
    -1e308,
    Number.MIN_VALUE,
    2 ** 53,
    1.005,
    [],
    {},
    [[[[[[[[]]]]]]]],
    '\u0000',
    '\uD800',
    '‮🏴‍☠️',
    "'; drop table apps; --",
    '{click_id}',
    '../../etc/passwd',
    '%00',
    'NaN',
    '9999-12-31',
    '0000-00-00',
    '2024-02-30',
    'https://' + 'a'.repeat(3000),
    '00000000-0000-0000-0000-000000000000',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ minLength: 5000, maxLength: 5001 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.string({ maxLength: 3 }), { minLength: 1001, maxLength: 1002 }),
);

/** Values that mostly match a schema of the document, with some violations. */
export function fromSchema(schema: JsonSchema, document: ApiDocument, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: obedient(schema, document, depth) },
    { weight: 1, arbitrary: nasty },
  );
}

function obedient(schema: JsonSchema, document: ApiDocument, depth: number): fc.Arbitrary<unknown> {
  const inner = (part: JsonSchema) => fromSchema(part, document, depth + 1);
  if (depth > 6) return fc.constant(null);
  if (schema.$ref) return inner(document.components!.schemas![schema.$ref.split('/').at(-1)!]!);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(inner));
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {});
      const known = Object.fromEntries(properties.map(([name, part]) => [name, inner(part)]));
      return fc.record(known, { requiredKeys: [] });
    }
    case 'array':
      return fc.array(inner(schema.items ?? {}), { maxLength: 4 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1000, 2 ** 31) });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'string':
      if (schema.format === 'uuid') return fc.uuid({ version: 7 });
      if (schema.format === 'date')
        return fc.date({ noInvalidDate: true }).map((day) => day.toISOString().slice(0, 10));
      return fc.string({
        unit: 'grapheme',
        minLength: schema.minLength ?? 0,
        maxLength: Math.max(schema.minLength ?? 0, 40),
      });
    default:
      return nasty;
  }
}
