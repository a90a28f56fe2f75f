import type { IncomingHttpHeaders } from 'node:http';

/** Headers of requests that a browser makes ahead of the person: today's (Fetch, 3.9) and those of older ones. */
const headers = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a browser fetches an address before anybody opened or saw what it belongs to. */
export function isPrefetch(sent: IncomingHttpHeaders): boolean {
  return headers.some((name) => /^\s*(prefetch|preview|prerender)\b/i.test(String(sent[name] ?? '')));
}
