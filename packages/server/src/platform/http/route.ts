import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { limits } from '@bidwell/contract/lib/limits';
import type {
  FastifyContextConfig,
  FastifyRequest,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { misspelledFieldsHook } from './bodies/misspelled-fields.ts';
import { addEntityTag, whereMatching } from './entity-tags.ts';
import type { Http } from './server.ts';

/** The schemas by which Fastify validates a call of an endpoint and serializes its responses. */
interface SchemaOf<E extends Endpoint> {
  summary: string;
  params: E['params'];
  querystring: E['query'];
  body: E['body'];
  security: never[] | undefined;
  response: E['response'];
}

type Handler<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  FastifyContextConfig,
  Schema,
  ZodTypeProvider
>;

/** The additions of a route to its endpoint: limits and hooks. */
export type RouteOptions = Pick<
  RouteShorthandOptions,
  'bodyLimit' | 'config' | 'onRequest' | 'preValidation' | 'preHandler'
>;

export type JsonEndpoint = Endpoint & { form?: undefined };
type FormEndpoint = Endpoint & { form: z.ZodType };

/** The handler of an endpoint's route: its request and response have the types of the endpoint's schemas. */
export type RouteHandler<E extends JsonEndpoint> = Handler<SchemaOf<E>>;

/** Registers the route of an endpoint. */
export function route<E extends JsonEndpoint>(http: Http, endpoint: E, handler: RouteHandler<E>): void;
export function route<E extends JsonEndpoint>(
  http: Http,
  endpoint: E,
  options: RouteOptions,
  handler: RouteHandler<E>,
): void;
export function route<E extends JsonEndpoint>(
  http: Http,
  endpoint: E,
  ...given: [RouteHandler<E>] | [RouteOptions, RouteHandler<E>]
): void {
  const [options, handler] = given.length === 2 ? given : [{}, ...given];
  const { method, path, summary, params, query, body, isPublic, response } = endpoint;
  const schema = withoutUndefined({
    summary,
    params,
    querystring: strict(query),
    body,
    security: isPublic && [],
    response,
  });
  const preValidation = misspelledFieldsHook(endpoint);
  http.route<RouteGenericInterface, FastifyContextConfig, SchemaOf<E>>({
    // A megabyte of JSON takes 100 ms of the processor.
    ...(isPublic && { bodyLimit: limits.publicBodyBytesMax }),
    ...options,
    method,
    url: path,
    schema,
    ...(preValidation && { preValidation }),
    config: { ...options.config, ...configOf(endpoint) },
    ...(endpoint.version && { preSerialization: addEntityTag }),
    handler: matching(endpoint, handler),
  });
}

/** Registers the route of an endpoint that takes a multipart form, which the handler parses. */
export function formRoute<E extends FormEndpoint>(
  http: Http,
  endpoint: E,
  options: RouteOptions,
  handler: Handler<Omit<SchemaOf<E>, 'body'>>,
): void {
  const { method, path, summary, params, query, body, form, isPublic, response } = endpoint;
  const schema = withoutUndefined({
    summary,
    params,
    querystring: strict(query),
    security: isPublic && [],
    response,
  });
  http.route<RouteGenericInterface, FastifyContextConfig, Omit<SchemaOf<E>, 'body'>>({
    ...options,
    method,
    url: path,
    schema,
    config: { ...options.config, ...configOf(endpoint), form, formOrJson: body !== undefined },
    ...(endpoint.version && { preSerialization: addEntityTag }),
    handler: matching(endpoint, handler),
  });
}

/** A query in which each parameter must be known: otherwise a misspelled filter would return the figures of everything. */
function strict<Query extends z.ZodType | undefined>(query: Query): Query {
  return query instanceof z.ZodObject ? (query.strict() as unknown as Query) : query;
}

/** {@link whereMatching} of a handler. */
function matching<Schema extends FastifySchema>(
  endpoint: Endpoint,
  handler: Handler<Schema>,
): Handler<Schema> {
  const matched = async function (
    this: ThisParameterType<Handler<Schema>>,
    ...[request, reply]: Parameters<Handler<Schema>>
  ): Promise<unknown> {
    return whereMatching(endpoint, request as unknown as FastifyRequest, async () =>
      handler.call(this, request, reply),
    );
  };
  return matched as Handler<Schema>;
}

/** The data that the hooks of an endpoint's route need: the permission, whether it answers a secret, and the version of the entity. */
function configOf({ companyPermission, permission, answersSecret, version }: Endpoint): FastifyContextConfig {
  return {
    ...(companyPermission && { companyPermission }),
    ...(permission && { permission }),
    ...(answersSecret && { answersSecret }),
    ...(version && { version }),
  };
}

/** Deletes the parts that an endpoint does not declare: Fastify warns of each that is present and undefined. */
function withoutUndefined<Schema extends object>(schema: Schema): Schema {
  for (const [name, part] of Object.entries(schema))
    if (part === undefined) Reflect.deleteProperty(schema, name);
  return schema;
}
