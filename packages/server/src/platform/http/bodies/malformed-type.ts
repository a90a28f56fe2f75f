import type { FastifyInstance } from 'fastify';

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
