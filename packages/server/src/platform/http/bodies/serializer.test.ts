import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { serializerCompiler } from './serializer.ts';

const write = (schema: z.ZodType, data: unknown): unknown =>
  JSON.parse(serializerCompiler({ schema, method: 'GET', url: '/' })(data));

const Leaf = z.object({ id: z.string(), note: z.string().nullable() });
const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree).optional();
  },
});

test('fields that are not in the schema are never sent, at any depth', () => {
  const schema = z.object({
    data: z.object({
      list: z.array(Leaf),
      one: Leaf.nullable(),
      absent: Leaf.optional(),
      byKey: z.record(z.string(), Leaf),
      tree: Tree,
      choice: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a'), leaf: Leaf }),
        z.object({ kind: z.literal('b') }),
      ]),
      anything: z.unknown(),
    }),
  });
  const secret = 'secret';
  const leaf = { id: '1', note: null };
  const leaky = { ...leaf, secret };
  const data = {
    list: [leaf, leaky],
    one: leaky,
    byKey: { x: leaky },
    tree: { name: 'root', secret, children: [{ name: 'leaf', secret }] },
    choice: { kind: 'a', leaf: leaky, secret },
    anything: { free: true },
    secret,
  };
  expect(write(schema, { data, secret })).toEqual({
    data: {
      list: [leaf, leaf],
      one: leaf,
      byKey: { x: leaf },
      tree: { name: 'root', children: [{ name: 'leaf' }] },
      choice: { kind: 'a', leaf },
      anything: { free: true },
    },
  });
  expect(leaky.secret).toBe(secret);
});

test('a description next to a schema changes nothing', () => {
  const described = { properties: Leaf, description: 'A leaf' };
  const text = serializerCompiler({ schema: described, method: 'GET', url: '/' })({
    id: '1',
    note: 'n',
    more: 1,
  });
  expect(text).toBe('{"id":"1","note":"n"}');
});

test('responses are encoded by zod', () => {
  const schema = z.object({
    text: z.string(),
    maybe: z.number().nullable(),
    list: z.array(z.object({ flag: z.boolean(), deep: z.object({ n: z.number() }).optional() })),
    byKey: z.record(z.string(), z.array(z.object({ n: z.number() }))),
  });
  const n = fc.record({ n: fc.integer(), extra: fc.string() }, { requiredKeys: ['n'] });
  const values = fc.record(
    {
      text: fc.string(),
      maybe: fc.option(fc.integer()),
      list: fc.array(
        fc.record({ flag: fc.boolean(), deep: n, extra: fc.string() }, { requiredKeys: ['flag'] }),
      ),
      byKey: fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        fc.array(n),
      ),
      extra: fc.anything(),
    },
    { requiredKeys: ['text', 'maybe', 'list', 'byKey'] },
  );
  fc.assert(
    fc.property(values, (value) => {
      expect(write(schema, value)).toEqual(JSON.parse(JSON.stringify(schema.encode(value))));
    }),
  );
});
