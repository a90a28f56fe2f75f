import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import { z } from 'zod';

type Schema = Readonly<Record<string, unknown>>;
type ObjectSchema = { type: 'object'; properties: Record<string, Schema>; required?: string[] };

/** Keywords that an assistant does not need: the API validates arguments and says what is wrong. */
const LEFT_OUT = new Set([
  '$schema',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
  'default',
]);
/** Larger limits only bound the stored data. */
const LIMIT_MAX = 100_000;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isObjectSchema = (schema: Schema): schema is ObjectSchema => isSchema(schema['properties']);
const partsOf = (schema: Schema): Schema[] | undefined =>
  (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;

/** A JSON Schema with the keywords that an assistant needs to fill it in, in few characters. Pure. */
export function slimSchema(schema: Schema): Schema {
  const parts = partsOf(schema);
  if (parts) return eitherOf(parts.map(slimSchema));
  const isListed = 'enum' in schema || 'const' in schema;
  const slim = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (LEFT_OUT.has(key) || (key === 'type' && isListed)) return [];
    // The number of characters, which the sentence of a rejection has.
    if (key === 'description' && /^At most \d+ characters/.test(String(value))) return [];
    // Names of parameters say that they are ids.
    if (key === 'format' && value === 'uuid') return [];
    if (key === 'minimum' || key === 'maximum')
      return Math.abs(Number(value)) > LIMIT_MAX ? [] : [[key, value]];
    if (key === 'additionalProperties') return isSchema(value) ? [[key, slimSchema(value)]] : [];
    if (key === 'items' && isSchema(value)) return [[key, slimSchema(value)]];
    if (key === 'properties') return [[key, mapped(value as Record<string, Schema>)]];
    return [[key, value]];
  });
  return Object.fromEntries(slim);
}

const mapped = (properties: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, slimSchema(part)]));

const isNull = ({ type }: Schema): boolean => type === 'null';
const listedValues = (schema: Schema): unknown[] | undefined =>
  'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined);

/** A slim schema of the values of any of several slim ones. Pure. */
function eitherOf(schemas: readonly Schema[]): Schema {
  const flat = schemas.flatMap((schema) => partsOf(schema) ?? [schema]);
  const different = [...new Map(flat.map((schema) => [JSON.stringify(schema), schema])).values()];
  if (different.length === 1) return different[0]!;
  const some = different.filter((schema) => !isNull(schema));
  const nulls = some.length < different.length ? [null] : [];
  if (some.every(listedValues))
    return { enum: [...new Set([...some.flatMap((schema) => listedValues(schema)!), ...nulls])] };
  const [only] = some;
  // An empty list is what null is.
  if (some.length === 1 && only!['type'] === 'array') return only!;
  if (some.length === 1 && typeof only!['type'] === 'string')
    return { ...only, type: [only!['type'], 'null'] };
  if (nulls.length === 0 && some.every(isObjectSchema)) return mergeObjects(some, some.length);
  return { anyOf: different };
}

/** One object for the objects of several schemas: it requires the fields that all of them require. Pure. */
function mergeObjects(schemas: readonly ObjectSchema[], total: number): ObjectSchema {
  const names = [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties)))];
  const required = names.filter(
    (name) => schemas.length === total && schemas.every((each) => each.required?.includes(name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        eitherOf(schemas.flatMap(({ properties: { [name]: schema } }) => (schema ? [schema] : []))),
      ]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/** As the instructions to assistants say. */
const confirmationSchema = { confirmation: { type: 'string' }, dry_run: { type: 'boolean' } };

/** The requirements of single calls for a part, in words. Pure. */
function neededBy(calls: Readonly<Record<string, ObjectSchema>>, merged: ObjectSchema): string {
  const choices = new Map<string, string[]>();
  for (const [choice, { required = [] }] of Object.entries(calls)) {
    const names = required.filter((name) => !merged.required?.includes(name)).join(', ');
    if (names !== '') choices.set(names, [...(choices.get(names) ?? []), choice]);
  }
  return [...choices].map(([names, members]) => `${members.join(', ')}: ${names}`).join('; ');
}

/** The arguments of a tool for calls of the API, by value of its argument `choice` if it has one. Pure. */
export function toolSchema(
  calls: Readonly<Record<string, Endpoint>>,
  { choice, isRead }: { choice?: { name: string; isRequired: boolean }; isRead: boolean },
): ObjectSchema {
  const endpoints = Object.values(calls);
  const properties: Record<string, Schema> = choice ? { [choice.name]: { enum: Object.keys(calls) } } : {};
  const required = choice?.isRequired ? [choice.name] : [];
  for (const part of ['params', 'query', 'body'] as const) {
    const schemas = Object.entries(calls).flatMap(([name, { [part]: schema }]) =>
      schema
        ? [
            {
              name,
              schema,
              slim: slimSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
            },
          ]
        : [],
    );
    if (schemas.length === 0) continue;
    const objects: Record<string, ObjectSchema> = {};
    for (const { name, slim } of schemas) if (isObjectSchema(slim)) objects[name] = slim;
    if (Object.keys(objects).length === schemas.length) {
      const merged = mergeObjects(Object.values(objects), endpoints.length);
      const needed = choice ? neededBy(objects, merged) : '';
      properties[part] = {
        ...merged,
        ...(needed !== '' && { description: assistantMessages.requiredBy(needed) }),
      };
    } else properties[part] = eitherOf(schemas.map(({ slim }) => slim));
    const isNeeded =
      schemas.length === endpoints.length && schemas.every(({ schema }) => !schema.safeParse({}).success);
    if (isNeeded) required.push(part);
  }
  if (!isRead) Object.assign(properties, confirmationSchema);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
