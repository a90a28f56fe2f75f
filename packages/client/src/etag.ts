import { calls } from './generated/calls.ts';

/** The ETags of the entities in responses, for as long as the program holds the entities. */
const answered = new WeakMap<object, string>();

/** Stores the ETag of a response. */
export function rememberEtag(data: unknown, etag: string | null): void {
  if (etag !== null && typeof data === 'object' && data !== null) answered.set(data, etag);
}

/**
 * The ETag of an entity in a response, for `ifMatch`: an entity that was read, created or changed, not one in a list or a copy.
 * Throws TypeError where there is none.
 */
export function etagOf(entity: object): string {
  const etag = answered.get(entity);
  if (etag === undefined) throw new TypeError('This is no entity that a call has answered: see etagInList');
  return etag;
}

/** The calls that take `ifMatch`. */
export type MatchingCall = {
  [Name in keyof typeof calls]: (typeof calls)[Name] extends { version: object } ? Name : never;
}[keyof typeof calls];

/**
 * The ETag of an entity as a list has it, for the call that changes or deletes it: of creatives, channels and others that no call reads
 * alone. It is computed as the server does (FNV-1a of 64 bits of the canonical JSON), of all fields that the list has of the entity. Pure.
 */
export function etagInList(name: MatchingCall, entity: object): string {
  const { ignoring }: { ignoring: readonly string[] } = calls[name].version;
  const fields = Object.entries(entity).filter(([field]) => !ignoring.includes(field));
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(canonicalJson(Object.fromEntries(fields))))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return `"${hash.toString(16).padStart(16, '0')}"`;
}

function canonicalJson(value: object): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
