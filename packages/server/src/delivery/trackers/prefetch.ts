import type { IncomingHttpHeaders } from 'node:http';

/** Headers of browser prefetches: the current one (Fetch, 3.9) and older ones. */
const headers = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a request is a browser's prefetch, made before a person opened or saw the content. */
export function isPrefetch(sent: IncomingHttpHeaders): boolean {
  return headers.some((name) => /^\s*(prefetch|preview|prerender)\b/i.test(String(sent[name] ?? '')));
}
