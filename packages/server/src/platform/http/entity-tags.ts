import { type EntityVersion, versionOf } from '@bidwell/contract/lib/version';
import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Malformed } from '../errors.ts';
import { withExpectation } from '../expected-version.ts';
import { fieldsIn } from './bodies/serializer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The source of the version of the entity that the call of a route reads, creates or changes. */
    version?: EntityVersion;
  }
}

/** Whether calls of a method compare the version of the entity. */
export function takesMatch(method: string): boolean {
  return method === 'PUT' || method === 'PATCH' || method === 'DELETE';
}

/**
 * Runs the handler of an endpoint that changes an entity so that it changes only the version that `If-Match` names (section 13.1.1 of RFC
 * 9110): the operation compares under its lock (`requireExpected`), and throws Outdated. Throws Malformed for a header that cannot be
 * read, and for any where the endpoint does not compare: the caller counts on it. With `If-None-Match: *` it changes nothing that is there,
 * so that a PUT only creates.
 */
export async function whereMatching<T>(
  { method, version }: Pick<Endpoint, 'method' | 'version'>,
  { headers }: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  const header = headers['if-match'];
  const none = headers['if-none-match'];
  if ((header === undefined && none === undefined) || method === 'GET') return work();
  if (!version || !takesMatch(method)) {
    // `If-None-Match` avoids a response that the caller already has: a call that changes something may ignore it.
    if (header === undefined) return work();
    throw new Malformed(apiMessages.ifMatchNotTaken);
  }
  if (none !== undefined && none.trim() !== '*') throw new Malformed(apiMessages.ifNoneMatchFormat);
  const tags = header === undefined ? null : tagsIn(header);
  return withExpectation((entity) => {
    if (none !== undefined) return entity === null && header === undefined;
    return entity !== null && (tags?.has(tagOf(version, entity)) ?? true);
  }, work);
}

/** preSerialization hook: the `ETag` of the entity that a response has. After a deletion there is none. */
export async function addEntityTag(
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { version } = routeOptions.config;
  const { data } = payload as { data?: unknown };
  if (version && method !== 'DELETE' && reply.statusCode < 300 && typeof data === 'object' && data !== null)
    void reply.header('etag', tagOf(version, data));
  return payload;
}

function tagOf(version: EntityVersion, entity: object): string {
  return `"${versionOf(version, fieldsIn(version.schema, entity))}"`;
}

/** The tags that `If-Match` lists, null for any. A weak tag is included as written, and equals none of ours. */
function tagsIn(header: string): ReadonlySet<string> | null {
  if (header.trim() === '*') return null;
  const tag = /(?:W\/)?"[^"]*"/g;
  const tags = header.match(tag);
  if (!tags || /[^\s,]/.test(header.replaceAll(tag, ''))) throw new Malformed(apiMessages.ifMatchFormat);
  return new Set(tags);
}
