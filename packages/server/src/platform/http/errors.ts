import { apiMessages } from '@bidwell/contract/text/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import type { Failure } from '@bidwell/contract/lib/wire';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isDatabaseUnavailable } from '../database-unavailable.ts';
import {
  Conflict,
  DomainError,
  type FieldError,
  Forbidden,
  Invalid,
  Malformed,
  NotFound,
  Outdated,
  RateLimited,
  TooLarge,
  Unauthenticated,
  Unavailable,
  Underway,
  UnsupportedType,
} from '../errors.ts';

const statuses = [
  [Malformed, 400],
  [Unauthenticated, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [Conflict, 409],
  [Outdated, 412],
  [TooLarge, 413],
  [UnsupportedType, 415],
  [Invalid, 422],
  [RateLimited, 429],
  [Unavailable, 503],
] as const;

/** Maps an error to a status and an envelope. The text of an unexpected error (500) never leaves the server. */
export function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof DomainError) return sendDomainError(error, reply);
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.map((issue) => ({
      field: issue.instancePath.split('/').filter(Boolean).join('.'),
      message: issue.message ?? 'Not valid',
    }));
    // A path parameter that is not a uuid cannot refer to anything.
    if (error.validationContext === 'params') return send(reply, 404, 'Not found');
    return send(reply, 422, fields[0]?.message ?? apiMessages.someFields, fields);
  }
  if (isClientDisconnected(error, request, reply)) {
    request.log.debug({ err: error }, 'the client closed the connection');
    return send(reply, 400, fastifyMessages[400]!);
  }
  if (refersToDeleted(error)) return sendDomainError(new Conflict(messages.deletedMeanwhile), reply);
  if (isDatabaseUnavailable(error)) {
    request.log.error(
      { err: error, method: request.method, url: request.routeOptions.url },
      'database unavailable',
    );
    return sendDomainError(new Unavailable(), reply);
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status >= 500) {
    request.log.error(
      { err: error, method: request.method, url: request.routeOptions.url },
      'request failed',
    );
    return send(reply, 500, apiMessages.failed);
  }
  if (status === 415) return send(reply, status, apiMessages.contentType(acceptedBy(request)));
  return send(reply, status, fastifyMessages[status] ?? error.message);
}

/** The content types that a route reads. */
function acceptedBy({ routeOptions: { config } }: FastifyRequest): readonly string[] {
  if (config.form && !config.formOrJson) return ['multipart/form-data'];
  return config.form ? ['application/json', 'multipart/form-data'] : ['application/json'];
}

/** True when the client disconnected before its request or the response was complete; nothing failed on the server. */
function isClientDisconnected(
  error: Error & { code?: unknown },
  { raw }: FastifyRequest,
  { raw: response }: FastifyReply,
): boolean {
  const isGone = (!raw.complete && raw.destroyed) || (response.destroyed && !response.writableFinished);
  return isGone && /^(ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/.test(String(error.code));
}

/** PostgreSQL's foreign_key_violation: a row that existed when the call began was deleted before its end. */
function refersToDeleted(error: Error & { code?: unknown }): boolean {
  return error.code === '23503';
}

const fastifyMessages: Record<number, string> = {
  400: apiMessages.unreadable,
  413: apiMessages.tooLarge,
  414: apiMessages.addressTooLong,
  429: apiMessages.tooMany,
};

/** Responds with 404 for an address without a route. */
export function sendUnknownRoute(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(reply, 404, apiMessages.noAddress);
}

function sendDomainError(error: DomainError, reply: FastifyReply): FastifyReply {
  const status = statuses.find(([kind]) => error instanceof kind)?.[1] ?? 500;
  if (error instanceof RateLimited || error instanceof Unavailable || error instanceof Underway) {
    void reply.header('retry-after', error.retryAfterSeconds);
  }
  const fields = error instanceof Invalid || error instanceof Conflict ? error.fields : [];
  return send(reply, status, error.message, fields);
}

function send(
  reply: FastifyReply,
  status: number,
  sentence: string,
  fields: FieldError[] = [],
): FastifyReply {
  const body: Failure = fields.length > 0 ? { data: sentence, errors: fields } : { data: sentence };
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}
