import type { ServerResponse } from 'node:http';

// Headers are the flat lists that Node takes without copying them.
export const NOSNIFF = ['x-content-type-options', 'nosniff'];
const EMPTY = [...NOSNIFF, 'content-length', '0'];

/** Ends a response without a body. */
export function endEmpty(response: ServerResponse, status: number, headers: readonly string[] = []): void {
  response.writeHead(status, status === 204 ? NOSNIFF : [...EMPTY, ...headers]);
  response.end();
}
