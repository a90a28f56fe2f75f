import type { z } from 'zod';
import type { Permission } from '../accounts/permission.ts';
import type { OperatorPermission } from '../operator-accounts/permissions.ts';
import type { EntityVersion } from './version.ts';
import { Failure, UuidParams } from './wire.ts';

/** Prefix of the paths of the console's API, and of the operator's. */
export const CONSOLE_API = '/api/internal';
export const OPERATOR_API = '/api/operator';
/** Path of the operator console. */
export const OPERATOR_CONSOLE = '/operator';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A response that is not JSON: schemas by content type. */
export interface FileResponse {
  content: Readonly<Record<string, { schema: z.ZodType }>>;
}

/**
 * One call of the API. The server's routes, the OpenAPI document, the console's queries and the operator's command line
 * all use this declaration.
 */
export interface Endpoint {
  readonly method: Method;
  /** Relative to the API's prefix; `:name` stands for a path parameter. */
  readonly path: string;
  /** The summary of the call for the OpenAPI document. */
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** An object whose fields the body may have too, because callers have them at hand; they mean nothing, and are no misspelled fields of the body. */
  readonly ignored?: z.ZodType;
  /** A multipart form, in place of `body` or as another way to send it. */
  readonly form?: z.ZodType;
  /** True for a call without a session. */
  readonly isPublic?: true;
  /** Calls of a company: the permission that the call needs. */
  readonly companyPermission?: Permission;
  /** Calls of operators: the permission that the call needs. */
  readonly permission?: OperatorPermission;
  /** True where the response contains a secret: it is not stored for a repeated request, so the call takes no idempotency key. */
  readonly answersSecret?: true;
  /**
   * The source of the version of the entity that the call reads, creates or changes: the `ETag` of its response and, for a call that
   * changes or deletes, of `If-Match`.
   */
  readonly version?: EntityVersion;
  /** The responses by status: the successful one, and failures that not every call of its kind has. */
  readonly response: Readonly<Record<number, z.ZodType | FileResponse>>;
}

/** Who may make a call: a person or key with a permission, or anyone without a session. */
type Access = Required<
  Pick<Endpoint, 'companyPermission'> | Pick<Endpoint, 'permission'> | Pick<Endpoint, 'isPublic'>
>;

/** What is declared of a call whose method and path are given. */
type Declared = Omit<Endpoint, 'method' | 'path'> & Access;

/** The parameters of a call that declares none: of a path whose only parameter is `:uuid`. */
type PathParams<Call extends string> = Call extends `${string}/:${infer Rest}`
  ? Rest extends `${string}/:${string}`
    ? unknown
    : Rest extends 'uuid' | `uuid/${string}`
      ? { readonly params: typeof UuidParams }
      : unknown
  : unknown;

/**
 * Declares the endpoint of a call, `GET /app/:uuid`, which names its permission or is public; the type keeps its schemas. A path whose
 * only parameter is `:uuid` takes {@link UuidParams} without naming them.
 */
export function endpoint<const Call extends `${Method} /${string}`, const E extends Declared>(
  call: Call,
  declared: E,
): Pick<Endpoint, 'method' | 'path'> & (E extends { params: z.ZodType } ? E : E & PathParams<Call>) {
  const [method, path] = call.split(' ') as [Method, string];
  const params = /^[^:]*\/:uuid(\/[^:]*)?$/.test(path) && { params: UuidParams };
  return { method, path, ...params, ...declared } as unknown as ReturnType<typeof endpoint<Call, E>>;
}

/** Entries of `response` for failures that depend on the state. */
export const conflict = { 409: Failure } as const;
/** The body refers to entities that may not exist. */
export const missing = { 404: Failure } as const;
export const limited = { 429: Failure } as const;
/** The error of a call without a valid session. */
export const unauthorized = { 401: Failure } as const;

/** One part of a call's arguments: optional if all its fields are optional, absent if it is not declared. */
type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? object extends z.input<Schema>
    ? { [N in Name]?: z.input<Schema> }
    : undefined extends z.input<Schema>
      ? { [N in Name]?: z.input<Schema> }
      : { [N in Name]: z.input<Schema> }
  : { [N in Name]?: undefined };

/** The arguments of an endpoint: its path parameters, query and body. */
export type CallOf<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>;

/** The arguments as a rest parameter, which may be omitted where nothing is required. */
export type CallArgs<E extends Endpoint> =
  object extends CallOf<E> ? [given?: CallOf<E>] : [given: CallOf<E>];

type Success<Response> = Response extends { 200: infer Schema }
  ? Schema
  : Response extends { 201: infer Schema }
    ? Schema
    : never;

/** The `data` of an endpoint's successful response. */
export type DataOf<E extends Endpoint> =
  Success<E['response']> extends z.ZodType<{ data: infer Data }> ? Data : never;

/** The path and query of a call, without the API's prefix; parameters are percent-encoded. */
export function addressOf(
  { path }: Pick<Endpoint, 'path'>,
  { params, query }: { params?: unknown; query?: unknown } = {},
): string {
  const values = new Map(entriesOf(params));
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''));
  const search = entriesOf(query);
  return search.length === 0 ? filled : `${filled}?${new URLSearchParams(search)}`;
}

/** The values as text; undefined and empty ones are omitted. */
function entriesOf(values: unknown): [string, string][] {
  return Object.entries(values ?? {})
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)]);
}
