import { createHash } from 'node:crypto';

// Ids that fit into 24 characters, as parameters of measurement partners take them. Links and costs have to have the same.

/** A UUID in 22 characters: its bytes as base64url. Pure. */
export function shortIdOf(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}

const SITE_CHARACTERS_MAX = 24;
const KEPT_CHARACTERS = 13;
const HASH_CHARACTERS = 10;

/** A publisher's bundle; of a longer one than 24 characters, its start and a hash. Pure. */
export function siteIdOf(bundle: string): string {
  if (bundle.length <= SITE_CHARACTERS_MAX) return bundle;
  const hash = createHash('sha256').update(bundle).digest('base64url').slice(0, HASH_CHARACTERS);
  return `${bundle.slice(0, KEPT_CHARACTERS)}-${hash}`;
}
