import { type Fields, NATIVE_REQUEST, OperatorField, REQUEST_FIELDS, type Value } from './sample-fields.ts';

/** The audience of a request: operators also get deals, seats, ids and extensions of the exchange. */
export type Audience = 'advertisers' | 'operators';

/** Longest list that is stored; the lists that bidding reads are not longer. */
const MEMBERS_MAX = 1000;
const NATIVE_CHARS_MAX = 64 * 1024;

/**
 * The known fields of a bid request ({@link REQUEST_FIELDS}) with valid values, which have no personal data. The result is
 * the same for a request that is already the result of this. Null for anything but an object.
 */
export function redacted(request: unknown, audience: Audience): Record<string, unknown> | null {
  return isObject(request) ? chosen(REQUEST_FIELDS, request, audience) : null;
}

function chosen(fields: Fields, values: Readonly<Record<string, unknown>>, audience: Audience) {
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(values, name)) continue;
    if (field instanceof OperatorField && audience !== 'operators') continue;
    const value = allowed(field instanceof OperatorField ? field.field : field, values[name], audience);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** A value as far as its field allows it; a list member by member. */
function allowed(field: Value | Fields, value: unknown, audience: Audience): unknown {
  if (!Array.isArray(value)) return allowedOne(field, value, audience);
  return value
    .slice(0, MEMBERS_MAX)
    .map((member: unknown) => allowedOne(field, member, audience))
    .filter((member) => member !== undefined);
}

function allowedOne(field: Value | Fields, value: unknown, audience: Audience): unknown {
  if (typeof field === 'function') return field(value);
  if (isObject(value)) return chosen(field, value, audience);
  return field === NATIVE_REQUEST && typeof value === 'string' ? nativeRequest(value, audience) : undefined;
}

/** A native request that is sent as a text of JSON, as such a text. */
function nativeRequest(text: string, audience: Audience): string | undefined {
  if (text.length > NATIVE_CHARS_MAX) return undefined;
  try {
    const request: unknown = JSON.parse(text);
    return isObject(request) ? JSON.stringify(chosen(NATIVE_REQUEST, request, audience)) : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
