import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { z } from 'zod';
import type { FastifyReply } from 'fastify';

type Schema = z.core.$ZodType;
type Copy = (value: unknown) => unknown;

/**
 * Serializes responses as JSON, with the fields of the route's schema and no others. Values are not validated: their
 * types are checked at compile time, and the tests compare every response with the OpenAPI document (docs/decisions/003).
 */
export const serializerCompiler: FastifySerializerCompiler<unknown> = ({ schema }) => {
  const copy = copierOf(schemaIn(schema), new Map());
  return (data: unknown) => JSON.stringify(copy ? copy(data) : data);
};

const copiers = new WeakMap<Schema, { copy: Copy | null }>();

/** A value with the fields of its schema and no others, as a response has it. */
export function fieldsIn<T extends object>(schema: Schema, value: T): T {
  let copier = copiers.get(schema);
  if (!copier) copiers.set(schema, (copier = { copy: copierOf(schema, new Map()) }));
  return (copier.copy ? copier.copy(value) : value) as T;
}

/** A response may be a schema, or a schema with a description next to it. */
function schemaIn(response: unknown): Schema {
  const schema =
    response instanceof z.core.$ZodType ? response : (response as { properties?: unknown }).properties;
  if (schema instanceof z.core.$ZodType) return schema;
  throw new TypeError('A response without a zod schema');
}

/**
 * Returns a function that strips fields missing from the schema: it copies the value, or returns it unchanged when there
 * are none. Null when a value of the schema never needs stripping.
 */
function copierOf(schema: Schema, known: Map<Schema, Copy | null>): Copy | null {
  const made = known.get(schema);
  if (made !== undefined) return made;
  const copy = makeCopier(schema as z.core.$ZodTypes, known);
  known.set(schema, copy);
  return copy;
}

function makeCopier(schema: z.core.$ZodTypes, known: Map<Schema, Copy | null>): Copy | null {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'enum':
    case 'literal':
    case 'unknown':
      return null;
    case 'nullable':
    case 'optional': {
      const copy = copierOf(def.innerType, known);
      return copy && ((value) => (value === null || value === undefined ? value : copy(value)));
    }
    case 'array': {
      const copy = copierOf(def.element, known);
      return copy && ((values) => copyArray(values as unknown[], copy));
    }
    case 'record': {
      const copy = copierOf(def.valueType, known);
      return copy && ((record) => mapValues(record as Record<string, unknown>, copy));
    }
    case 'object':
      if (def.catchall) break;
      return objectCopier(schema, def.shape, known);
  }
  // Rare: schemas with choices or transforms are encoded by zod.
  return (value) => z.encode(schema, value);
}

function objectCopier(schema: Schema, shape: z.core.$ZodShape, known: Map<Schema, Copy | null>): Copy {
  const names = new Set(Object.keys(shape));
  const nested: { name: string; copy: Copy }[] = [];
  const copyObject: Copy = (value) => {
    const source = value as Record<string, unknown>;
    let target = containsOnly(source, names) ? source : pick(source, names);
    for (const { name, copy } of nested) {
      const copied = copy(source[name]);
      if (copied === source[name]) continue;
      if (target === source) target = { ...source };
      target[name] = copied;
    }
    return target;
  };
  // Registered before its fields, because a recursive schema refers to itself.
  known.set(schema, copyObject);
  for (const name of names) {
    const copy = copierOf(shape[name]!, known);
    if (copy) nested.push({ name, copy });
  }
  return copyObject;
}

function containsOnly(source: object, names: ReadonlySet<string>): boolean {
  for (const name in source) if (!names.has(name)) return false;
  return true;
}

function pick(source: Record<string, unknown>, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries([...names].map((name) => [name, source[name]]));
}

function copyArray(values: unknown[], copy: Copy): unknown[] {
  let target = values;
  for (const [index, value] of values.entries()) {
    const copied = copy(value);
    if (copied === value) continue;
    if (target === values) target = [...values];
    target[index] = copied;
  }
  return target;
}

function mapValues(record: Record<string, unknown>, copy: Copy): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, copy(value)]));
}

/** Sends a response that is serialized already. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
