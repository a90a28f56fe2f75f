import type { Place } from '../../platform/encryption.ts';

/** Where the content of a message is stored. */
export function contentPlace(uuid: string): Place {
  return { table: 'messages', column: 'content', row: uuid };
}
