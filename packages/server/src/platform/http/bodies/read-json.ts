import { apiMessages } from '@bidwell/contract/text/api-messages';
import { isUtf8 } from 'node:buffer';
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify';
import { Malformed } from '../../errors.ts';

/** Parses JSON bodies of a server's calls as {@link jsonBodyParser} does. */
export function readJsonBodies(http: FastifyInstance): void {
  const parse = jsonBodyParser(http);
  // Fastify parses plain text by default, which no call accepts.
  http.removeContentTypeParser('text/plain');
  http.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) =>
    parse(request, body as Buffer, done),
  );
}

/** Parses the bytes of a body, and passes on why they cannot be read, or the value. */
type JsonBodyParser = (
  request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, value?: unknown) => void,
) => void;

/**
 * A parser of JSON bodies that rejects text which PostgreSQL cannot store unchanged: NUL, half of a surrogate pair, bytes
 * that are not UTF-8. The error is Malformed. An empty body is undefined where the route has no body schema.
 */
export function jsonBodyParser(http: FastifyInstance): JsonBodyParser {
  const parse = http.getDefaultJsonParser('error', 'error') as FastifyBodyParser<string>;
  return (request, bytes, done) => {
    if (!isUtf8(bytes)) return done(new Malformed(apiMessages.notUtf8));
    const text = bytes.toString();
    if (containsNul(text)) return done(new Malformed(apiMessages.nulCharacter));
    // A call without a body may still send a content type.
    if (text === '' && !request.routeOptions.schema?.body) return done(null, undefined);
    void parse(request, text, (error, parsed: unknown) => {
      if (error) done(new Malformed(faultOf(text)));
      else if (mayContainSurrogate(text) && !isWellFormed(parsed))
        done(new Malformed(apiMessages.halfCharacter));
      else done(null, parsed);
    });
  };
}

/** Why a body is rejected that Fastify does not read. */
function faultOf(text: string): string {
  if (text.trim() === '') return apiMessages.noBody;
  try {
    JSON.parse(text);
  } catch {
    return apiMessages.notJson;
  }
  return apiMessages.forbiddenField;
}

/** True when a string in the JSON contains NUL, which PostgreSQL does not store. */
function containsNul(json: string): boolean {
  return json.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(json);
}

/** UTF-8 has no surrogates: a lone one can only be written as an escape. */
const mayContainSurrogate = (json: string) => /\\u[dD][89a-fA-F]/.test(json);

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isWellFormed(key) && isWellFormed(inner));
}

/** A content type of RFC 9110, section 8.3; its parameters may be anything. */
const CONTENT_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Takes a content type that is malformed or empty as none, in a scope that reads bodies of any type: Fastify rejects it before it calls a
 * parser.
 */
export function ignoreMalformedTypes(scope: Pick<FastifyInstance, 'addHook'>): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    const { 'content-type': type } = request.headers;
    if (type !== undefined && !CONTENT_TYPE.test(type)) delete request.headers['content-type'];
    done();
  });
}
