import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { nearestName } from '@bidwell/contract/lib/nearest-name';
import { TAB_HEADER } from '@bidwell/contract/lib/wire';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type FieldError, Invalid } from '../../errors.ts';

/** Misspelled fields that a response names at most. */
const NAMED_MAX = 10;
/** Unknown fields of a body that are compared with the known ones, which takes time: of more, the first. */
const COMPARED_MAX = 50;

type Schema = z.core.$ZodType;

/** What the schemas of a value say of its fields. */
interface Shape {
  /** Schemas by the name of a field; null where the value may have any field. */
  fields: ReadonlyMap<string, readonly Schema[]> | null;
  /** The schemas of the items of a list. */
  items: readonly Schema[];
}

/**
 * The preValidation hook of a call with a body, which throws Invalid for misspelled fields, on all levels of the body: such a setting would be
 * left out without a word. A field is misspelled if its name is nearly that of a field which the body does not have. Other unknown fields are
 * left out, as the specification's clients may send them, and a program that sends to one call what it has read from another. Pages of the console send the fields that they know: a page of a later release, which is open while processes are updated one
 * after another, still saves with an earlier one. Undefined for a call without a body, and for calls of visitors and partners.
 */
export function misspelledFieldsHook({
  body,
  ignored,
  isPublic,
  response,
}: Endpoint): ((request: FastifyRequest) => Promise<void>) | undefined {
  if (!body || isPublic) return undefined;
  const success = response[200] ?? response[201];
  const answered = success instanceof z.ZodObject ? (success.shape as Record<string, Schema>)['data'] : null;
  const schemas = [body, ...(answered ? [answered] : []), ...(ignored ? [ignored] : [])];
  return async ({ body: sent, headers }) => {
    if (headers[TAB_HEADER] !== undefined) return;
    const found: Found = { misspelled: [], unknown: 0 };
    collect(sent, schemas, [], found);
    if (found.misspelled.length > 0) throw new Invalid(found.misspelled);
  };
}

/** What was found in a body so far. */
interface Found {
  misspelled: FieldError[];
  /** Fields that do not exist, also under another name. */
  unknown: number;
}

function collect(value: unknown, schemas: readonly Schema[], path: string[], found: Found): void {
  if (typeof value !== 'object' || value === null || schemas.length === 0) return;
  const { fields, items } = shapeOf(schemas);
  if (Array.isArray(value)) {
    if (items.every(isOfTexts)) return;
    for (const [index, item] of value.entries()) collect(item, items, [...path, String(index)], found);
    return;
  }
  if (!fields) return;
  for (const [name, one] of Object.entries(value)) {
    if (found.misspelled.length >= NAMED_MAX || found.unknown >= COMPARED_MAX) return;
    const known = fields.get(name);
    if (known) {
      collect(one, known, [...path, name], found);
      continue;
    }
    found.unknown += 1;
    const meant = nearestName(
      name,
      [...fields.keys()].filter((field) => !Object.hasOwn(value, field)),
    );
    if (meant !== undefined)
      found.misspelled.push({ field: [...path, name].join('.'), message: apiMessages.noField(name, meant) });
  }
}

const isOfTexts = (schema: Schema): boolean => schema instanceof z.ZodString || schema instanceof z.ZodEnum;

function shapeOf(schemas: readonly Schema[]): Shape {
  const fields = new Map<string, Schema[]>();
  const items: Schema[] = [];
  let isOpen = false;
  let hasFields = false;
  for (const schema of schemas.flatMap(alternatives)) {
    if (schema instanceof z.ZodArray) items.push(schema.element);
    else if (schema instanceof z.ZodObject) {
      hasFields = true;
      const { shape, catchall } = schema.def;
      if (catchall && !(catchall instanceof z.ZodNever)) isOpen = true;
      for (const [name, one] of Object.entries(shape)) fields.set(name, [...(fields.get(name) ?? []), one]);
    } else if (isAnything(schema)) isOpen = true;
  }
  // Without an object among the schemas, their validation says what is wrong.
  return { fields: isOpen || !hasFields ? null : fields, items };
}

const isAnything = (schema: Schema): boolean =>
  schema instanceof z.ZodRecord || schema instanceof z.ZodAny || schema instanceof z.ZodUnknown;

/** The schemas that a value may have, without what wraps them. */
function alternatives(schema: Schema): Schema[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => alternatives(option as Schema));
  if (schema instanceof z.ZodPipe)
    return [schema.in, schema.out].flatMap((one) => alternatives(one as Schema));
  if (schema instanceof z.ZodIntersection)
    return [schema.def.left, schema.def.right].flatMap((one) => alternatives(one as Schema));
  const { innerType } = schema._zod.def as { innerType?: Schema };
  return innerType ? alternatives(innerType) : [schema];
}
