import type { z } from 'zod';

/** The fields of which the version of an entity is a hash. */
export interface EntityVersion {
  /** The entity as responses have it. */
  readonly schema: z.ZodType;
  /** Fields that change without an edit of the entity, such as its figures: the version leaves them out. */
  readonly ignoring: readonly string[];
}

/** Declares the fields of an entity's version: all fields of its response except the ones in `ignoring`. */
export function entityVersion<Schema extends z.ZodType>(
  schema: Schema,
  ignoring: readonly (keyof z.output<Schema> & string)[] = [],
): EntityVersion {
  return { schema, ignoring };
}

/**
 * The version of an entity as a response or a list has it: the same for the same fields and values, in any order. 16 hexadecimal
 * digits: FNV-1a of 64 bits of the entity as canonical JSON (RFC 8785). Pure.
 */
export function versionOf({ ignoring }: Pick<EntityVersion, 'ignoring'>, entity: object): string {
  const fields = Object.entries(entity).filter(([name]) => !ignoring.includes(name));
  return fnv1a(canonicalJson(Object.fromEntries(fields)));
}

function canonicalJson(value: object): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

const TWO_32 = 2 ** 32;
/** The prime of FNV-1a of 64 bits is 2^40 + this. */
const PRIME_LOW = 0x1b3;
const encoder = new TextEncoder();

/** FNV-1a of 64 bits of a text as UTF-8, in two halves: numbers are exact up to 53 bits. */
function fnv1a(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of encoder.encode(text)) {
    const mixed = (low ^ byte) >>> 0;
    const product = mixed * PRIME_LOW;
    high = (high * PRIME_LOW + Math.floor(product / TWO_32) + mixed * 256) % TWO_32;
    low = product % TWO_32;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}
