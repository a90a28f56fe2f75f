import swagger from '@fastify/swagger';
import { examples } from '@bidwell/contract/lib/all-examples';
import { COMPANY_ROLES, type Permission, rolesWith } from '@bidwell/contract/accounts/permission';
import { API_TOKEN_LIMITS, KEY_CALLS_PER_MINUTE } from '@bidwell/contract/accounts/api-token';
import { API_SCOPES, scopesWith } from '@bidwell/contract/accounts/scope';
import { CONSOLE_API, OPERATOR_API, type Endpoint } from '@bidwell/contract/lib/endpoint';
import { type OperatorPermission, roleHas } from '@bidwell/contract/operator-accounts/permissions';
import { OPERATOR_ROLES } from '@bidwell/contract/operator-accounts/schema';
import { Failure } from '@bidwell/contract/lib/wire';
import Fastify, {
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  type RouteOptions,
} from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  type ZodTypeProvider,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { hasPermission } from '../../permissions.ts';
import { isChange } from '../auth/auth.ts';
import { takesMatch } from '../entity-tags.ts';
import { type PolicySettings, policyWithStyles } from '../security-headers.ts';
import type { Http } from '../server.ts';
import { type ApiDocument, DOCS_STYLE_HASH, docsPage } from './page.ts';
import { serializerCompiler } from '../bodies/serializer.ts';
import { formRoute, route } from '../route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Schema of a multipart form, for the document; the route parses the form itself. */
    form?: z.ZodType;
    /** True when the route accepts a JSON body as well as a form. */
    formOrJson?: boolean;
    /** True where the response contains a secret; it is not stored for repeated requests. */
    answersSecret?: boolean;
  }
}

for (const { schema, example, id } of examples)
  z.globalRegistry.add(schema, { examples: [example], ...(id !== undefined && { id }) });

const RepeatHeaders = z.object({
  'idempotency-key': z.string().min(1).max(255).optional(),
});
const MatchHeaders = z.object({
  'if-match': z.string().optional().describe('The ETag that the entity must have, or *.'),
  'if-none-match': z.string().optional().describe('* to change nothing that is there, only create.'),
});
/** Marks calls whose responses have the ETag of an entity, until {@link documentOf} describes the header. */
const TAGGED = 'x-tagged';

/** Makes {@link documentOf} describe every route that is registered after it, from the schemas that validate. */
async function describeRoutes(http: Http): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Bidwell API',
        version: '1',
        description:
          'Every JSON answer is an envelope: what was asked for, or one sentence for a person, under `data`; `errors` ' +
          'name the invalid fields. Times are ISO 8601 UTC, report dates YYYY-MM-DD in the company’s time zone, ' +
          'money is in US dollars. A field that a call does not have is refused with 422. A call that creates, and every operator call that writes, takes an `Idempotency-Key`, unless its answer has a secret: ' +
          'sent again with the same body it answers the first result. Too many calls that write, or of one API key, within a minute answer 429, and any call may answer 503; both say in ' +
          '`Retry-After` when to try again.',
      },
      tags: Object.entries(groupDescriptions).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer', description: 'The access token that login answers.' },
          apiToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API key, made on the profile with scopes. Each call says which it needs; the role of the person who made the key has ' +
              `to allow the call, too. A key may make ${KEY_CALLS_PER_MINUTE.default} calls a minute unless it was made with another limit, ` +
              `${API_TOKEN_LIMITS.reportsPerMinute} reports and ${API_TOKEN_LIMITS.exportsPerMinute} exports among them.`,
          },
          operator: {
            type: 'http',
            scheme: 'bearer',
            description: 'OPERATOR_TOKEN of the server; the operator console uses a cookie instead.',
          },
        },
      },
    },
    transform: ({ schema, url, route: options, ...rest }) =>
      jsonSchemaTransform({
        schema: isDocumented(url) ? described(schema, url, options) : { hide: true },
        url,
        route: options,
        ...rest,
      }),
    transformObject: jsonSchemaTransformObject,
  });
}

/** Serves the OpenAPI 3.1 document of every route registered after it: /api/openapi.json and /api/docs. */
export async function serveDocument(http: Http, config: PolicySettings): Promise<void> {
  await describeRoutes(http);
  const hidden = { schema: { hide: true }, compress: false } as const;
  // Anyone may request them, and both take long to make; no route is added after the first request.
  const json = once(() => compressed(JSON.stringify(documentOf(http))));
  const page = once(() => compressed(docsPage(documentOf(http))));
  http.get('/api/openapi.json', hidden, async (request, reply) =>
    sendCompressed(request, reply.type('application/json; charset=utf-8'), json()),
  );
  http.get('/api/docs', hidden, async (request, reply) =>
    sendCompressed(
      request,
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policyWithStyles(config, DOCS_STYLE_HASH)),
      page(),
    ),
  );
}

interface Compressed {
  plain: Buffer;
  gzip: Buffer;
}

function compressed(text: string): Compressed {
  return { plain: Buffer.from(text), gzip: gzipSync(text) };
}

function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { plain, gzip }: Compressed,
): FastifyReply {
  void reply.header('vary', 'accept-encoding');
  if (!/(?:^|,)\s*gzip\s*(?:[,;]|$)/.test(headers['accept-encoding'] ?? '')) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(gzip);
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function isDocumented(url: string): boolean {
  return url.startsWith(`${CONSOLE_API}/`) || url.startsWith(`${OPERATOR_API}/`);
}

/**
 * Whether people of every role, also without a second factor that their company requires, API keys of every scope and operators who
 * view the company may make a call. Keys of the scope `reports` alone get 401 for others.
 */
function isForAllCallers(permission: Permission): boolean {
  return (
    hasPermission({ role: 'viewer' }, permission) &&
    hasPermission({ role: 'person', companyRole: 'owner', unenrolled: true }, permission) &&
    rolesWith(permission).length === COMPANY_ROLES.length &&
    API_SCOPES.every((scope) => scope === 'reports' || scopesWith(permission).includes(scope))
  );
}

function isForAllRoles(permission: OperatorPermission | undefined): boolean {
  return permission !== undefined && OPERATOR_ROLES.every((role) => roleHas(role, permission));
}

/** Adds to a route's schema the fields common to all routes of its kind: group, security, failure responses. */
function described(schema: FastifySchema | undefined, url: string, options: RouteOptions): FastifySchema {
  const { form, formOrJson, answersSecret, companyPermission, permission, version } = options.config ?? {};
  const body = schema?.body ?? form;
  const consumes = [
    ...(schema?.body || formOrJson ? ['application/json'] : []),
    ...(form ? ['multipart/form-data'] : []),
  ];
  const operator = url.startsWith(OPERATOR_API);
  const changes = [options.method].flat().some(isChange);
  const open = schema?.security?.length === 0;
  const matched = version !== undefined && [options.method].flat().some(takesMatch);
  const repeatable = operator
    ? !open &&
      !answersSecret &&
      ![options.method].flat().every((method) => method === 'GET' || method === 'HEAD')
    : isCreate(schema) && !open && !answersSecret;
  const failures: number[] = [
    ...(open ? [] : [401]),
    ...(companyPermission && !isForAllCallers(companyPermission) ? [403] : []),
    ...(!open && operator && (changes || !isForAllRoles(permission)) ? [403] : []),
    ...(schema?.params ? [404] : []),
    ...(schema?.body || formOrJson || matched || (answersSecret && !operator) ? [400] : []),
    ...(body ? [413, 415] : []),
    ...(body || schema?.querystring ? [422] : []),
    ...(repeatable ? [409] : []),
    ...(matched ? [412] : []),
    ...(operator ? [429] : []),
  ];
  return {
    ...schema,
    ...(companyPermission && { description: needOf(companyPermission) }),
    ...(version && options.method !== 'DELETE' && { [TAGGED]: true }),
    ...(body ? { body, consumes } : {}),
    ...(repeatable || matched ? { headers: headersOf({ repeatable, matched }) } : {}),
    tags: [operator ? 'operator' : groupOf(url)],
    security: schema?.security ?? [
      { [operator ? 'operator' : 'session']: [] },
      ...(companyPermission ? scopesWith(companyPermission).map((scope) => ({ apiToken: [scope] })) : []),
    ],
    response: {
      ...(schema?.response as object | undefined),
      ...Object.fromEntries(failures.map((status) => [status, Failure])),
    },
  };
}

/** The headers that a call takes in addition to the headers of all calls. */
function headersOf({ repeatable, matched }: { repeatable: boolean; matched: boolean }): z.ZodType {
  return z.object({ ...(repeatable && RepeatHeaders.shape), ...(matched && MatchHeaders.shape) });
}

/** The requirement of a company's call, in the words of the table of permissions. */
function needOf(permission: Permission): string {
  const roles = rolesWith(permission);
  const who = roles.length === COMPANY_ROLES.length ? 'everybody in the company' : roles.join(', ');
  const scopes = scopesWith(permission).map((scope) => `\`${scope}\``);
  const keys = scopes.length === 0 ? 'API keys may not.' : `API keys need a scope: ${scopes.join(' or ')}.`;
  return `Needs \`${permission}\`, which people with these roles have: ${who}. ${keys}`;
}

function isCreate(schema: FastifySchema | undefined): boolean {
  return Object.hasOwn((schema?.response as object | undefined) ?? {}, 201);
}

/** Groups of the calls below a path. */
const groups: Record<string, string> = {
  captcha: 'login',
  registration: 'login',
  login: 'login',
  'refresh-token': 'login',
  logout: 'login',
  'password-reset': 'login',
  users: 'profile',
  account: 'profile',
  'account/passkeys': 'passkeys',
  'account/sessions': 'sessions',
  api_tokens: 'api_keys',
  sso: 'single_sign_on',
  people: 'people',
  invitation: 'invitations',
  'people/invitations': 'invitations',
  company: 'changes',
  changes: 'changes',
  internal_creative: 'creative',
  file: 'creative',
  audience: 'audiences',
  'partners/appsflyer': 'audiences',
  internal_creative_group: 'creative_group',
  campaign_draft: 'drafts',
  comment: 'comments',
  approval: 'approvals',
  alerts: 'alerts',
  'report-schedules': 'scheduled_reports',
  'report-destinations': 'scheduled_reports',
  'finance/invoices': 'invoices',
  'finance/billing_details': 'invoices',
};
/** What a reader has to know of the calls of a group in addition to the calls themselves. */
const groupDescriptions: Readonly<Record<string, string>> = {
  audiences:
    'Lists of people by their advertising ids, which ad sets and targets include or exclude (`audience_include`, `audience_exclude`). ' +
    'Up to 10,000 ids go in one call; files of up to 10 million ids are uploaded in parts of at most 8 MiB. Both are imported in the ' +
    'background: `state` and `last_import` of the audience say what became of them. The ids cannot be read again. ' +
    'A key with the scope `campaigns` may create audiences and change their ids, one with `audience_sync` sends the audiences of AppsFlyer alone.',
};
const entities = new Set([
  'app',
  'adset',
  'campaign',
  'creative',
  'creative_group',
  'target',
  'tracking_link',
  'finance',
  'notifications',
  'analytics',
]);

const meanings: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  206: 'A part of the file',
  304: 'The client has it already',
  400: 'The request cannot be read',
  401: 'No session, or an expired one',
  403: 'The caller’s role or API key does not allow it, or the company is suspended or requires a second factor',
  404: 'Not there, or another company’s',
  409: 'The state of things forbids it',
  412: 'Changed since the version that If-Match names',
  413: 'Too large',
  415: 'A content type that is not taken',
  416: 'A part that the file does not have',
  422: 'Fields are not valid',
  429: 'Too many requests; see Retry-After',
  503: 'A database is unavailable or a queue is full; see Retry-After',
};

const tagHeader = { description: 'The version of the entity, for If-Match.', schema: { type: 'string' } };

/** Generates the document of a ready server, with a description of each status and without unused schemas. */
export function documentOf(http: Http): ApiDocument {
  const document = http.swagger() as ApiDocument;
  for (const call of Object.values(document.paths ?? {}).flatMap((item) => Object.values(item))) {
    for (const [status, response] of Object.entries(call.responses ?? {})) {
      response.description = meanings[status] ?? '';
      if (Object.hasOwn(call, TAGGED) && Number(status) < 300) response.headers = { ETag: tagHeader };
    }
    Reflect.deleteProperty(call, TAGGED);
  }
  const all = document.components?.schemas ?? {};
  const used = new Set<string>();
  const follow = (node: unknown): void => {
    for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      follow(all[name!]);
    }
  };
  follow(document.paths ?? {});
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...document.components, schemas } };
}

/** Group of a call in the document: by the first segments of its path that are not a version, or reference data. */
function groupOf(url: string): string {
  const path = url.slice(CONSOLE_API.length + 1).replace(/^v\d+\//, '');
  const [segment, second] = path.split('/');
  if (path.endsWith('/comment')) return groups['comment']!;
  return (
    groups[`${segment}/${second}`] ?? groups[segment!] ?? (entities.has(segment!) ? segment! : 'reference')
  );
}

/** The document that {@link documentOf} makes of a server, for these calls of the console's API alone. Starts no server. */
export async function documentOfCalls(endpoints: readonly Endpoint[]): Promise<ApiDocument> {
  const http: Http = Fastify()
    .withTypeProvider<ZodTypeProvider>()
    .setValidatorCompiler(validatorCompiler)
    .setSerializerCompiler(serializerCompiler);
  await describeRoutes(http);
  const never = async () => undefined as never;
  await http.register(
    async (scope: Http) => {
      for (const { form, ...endpoint } of endpoints)
        if (form) formRoute(scope, { ...endpoint, form }, {}, never);
        else route(scope, endpoint, never);
    },
    { prefix: CONSOLE_API },
  );
  await http.ready();
  return documentOf(http);
}
