import { scopesHave } from '@bidwell/contract/accounts/scope';
import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { keyEndpoints } from '@bidwell/contract/lib/key-calls';
import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Session } from '../platform/http/auth/auth.ts';
import { hasPermission } from '../platform/permissions.ts';
import { TOOL_GROUPS, type ToolGroup } from './tool-groups.ts';
import { toolSchema } from './tool-schema.ts';

/** A call of the API that assistants may make, by the name that the client has for it. */
export interface Tool {
  name: string;
  endpoint: Endpoint;
  isRead: boolean;
}

/** A tool as assistants are offered it: one call, or several of a {@link ToolGroup}. */
interface OfferedTool {
  name: string;
  about: string;
  /** The calls by value of the argument {@link choiceOf}; a single call by its name. */
  calls: Readonly<Record<string, Tool>>;
  isRead: boolean;
  group?: ToolGroup;
}

/** Addresses of an earlier form, and calls that take a file: assistants do not need them. */
const LEFT_OUT = /Alias$|InternalCreativeGroup$/;
/** Callable by name and not offered: the same as for the creative, by the uuid of its asset, and uploads of files. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  'archive_internal_creative',
  'restore_internal_creative',
  'remove_internal_creative',
  'begin_audience_upload',
  'read_audience_upload',
  'finish_audience_upload',
]);

const callable = keyEndpoints();

const tools = new Map(
  callable
    .filter(({ name, endpoint }) => !LEFT_OUT.test(name) && hasJson(endpoint))
    .map(({ name, endpoint }): [string, Tool] => {
      const own = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [own, { name: own, endpoint, isRead: endpoint.companyPermission!.endsWith('.read') }];
    }),
);

const grouped = new Set(Object.values(TOOL_GROUPS).flatMap(({ calls }) => Object.values(calls)));

const offered: readonly OfferedTool[] = [
  ...Object.entries(TOOL_GROUPS).map(([name, group]): OfferedTool => {
    const calls = Object.entries(group.calls).map(([choice, call]): [string, Tool] => [
      choice,
      callNamed(call),
    ]);
    return { name, group, about: group.about, calls: Object.fromEntries(calls), isRead: calls[0]![1].isRead };
  }),
  ...[...tools.values()]
    .filter(({ name }) => !grouped.has(name) && !NOT_OFFERED.has(name))
    .map((tool): OfferedTool => {
      const { name, endpoint, isRead } = tool;
      return { name, about: endpoint.summary, calls: { [name]: tool }, isRead };
    }),
];

function callNamed(name: string): Tool {
  const tool = tools.get(name);
  if (!tool) throw new Error(`A group of tools names ${name}, which is no call`);
  return tool;
}

/** The argument of a group that says which call is meant. */
const choiceOf = ({ isRead }: OfferedTool) => (isRead ? 'what' : 'action');

/** Whether a call takes and answers JSON. */
function hasJson({ form, body, response }: Endpoint): boolean {
  return (!form || body !== undefined) && !('content' in (response[200] ?? response[201]!));
}

const isPermitted = (session: Session, { endpoint }: Tool): boolean =>
  hasPermission(session, endpoint.companyPermission!);

/** The tools that an API key is offered, with the calls that it may make. */
function offeredTo(session: Session): OfferedTool[] {
  return offered.flatMap((tool) => {
    const calls = Object.entries(tool.calls).filter(([, call]) => isPermitted(session, call));
    return calls.length > 0 ? [{ ...tool, calls: Object.fromEntries(calls) }] : [];
  });
}

/**
 * The call that an API key makes by the name of a tool and its argument for the choice, or by the call's own name; else why there
 * is none, in a sentence.
 */
export function callOf(session: Session, name: string, choice: string | undefined): Tool | string {
  const tool = offeredTo(session).find((each) => each.name === name);
  if (!tool?.group) {
    const own = tools.get(name);
    return own && isPermitted(session, own) ? own : assistantMessages.unknownTool(name.slice(0, 100));
  }
  const call = tool.calls[choice ?? tool.group.usual ?? ''];
  return call ?? assistantMessages.unknownChoice(name, choiceOf(tool), Object.keys(tool.calls));
}

/**
 * The call that reads what another one changes: the one whose entity has the same version, or the call for the entity whose path it begins with, as
 * `GET /campaign/:uuid` of `PUT /campaign/:uuid/bundle`.
 */
export function readerOf({ path, version }: Endpoint): Endpoint | undefined {
  const reads = callable.filter(({ endpoint }) => endpoint.method === 'GET').map(({ endpoint }) => endpoint);
  const names = namesIn(path);
  const same = reads.find(
    (read) => version !== undefined && read.version === version && isSame(namesIn(read.path), names),
  );
  const [entity] = /^\/\w+\/:uuid/.exec(path) ?? [];
  return same ?? reads.find((read) => read.path === entity);
}

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name, index) => name === others[index]);

const schemas = new Map<string, ListedTool['inputSchema']>();

/** The tools that an API key may call, as they are listed. Each schema is made once. */
export function listedTools(session: Session): ListedTool[] {
  return offeredTo(session).map((tool) => {
    const { name, isRead } = tool;
    const key = [name, ...Object.keys(tool.calls)].join(' ');
    const inputSchema = schemas.get(key) ?? inputSchemaOf(tool);
    schemas.set(key, inputSchema);
    return {
      name,
      description: descriptionOf(tool),
      inputSchema,
      // A tool that changes something may be destructive, as the protocol assumes.
      annotations: { readOnlyHint: isRead, openWorldHint: false },
    };
  });
}

/** A key is listed the tools of its scopes only, so the scopes are not said. */
const descriptionOf = ({ about, isRead }: OfferedTool): string =>
  isRead ? about : `${about}. ${assistantMessages.needsConfirmation}`;

function inputSchemaOf(tool: OfferedTool): ListedTool['inputSchema'] {
  const { calls, isRead, group } = tool;
  const endpoints = Object.fromEntries(
    Object.entries(calls).map(([choice, { endpoint }]) => [choice, endpoint]),
  );
  const choice = group && { name: choiceOf(tool), isRequired: group.usual === undefined };
  return toolSchema(endpoints, { ...(choice && { choice }), isRead }) as ListedTool['inputSchema'];
}

/** The descriptions of an API key's tools, call by call, as lines of Markdown. */
export function toolGuide(session: Session): string[] {
  return offeredTo(session).flatMap((tool) => [
    `- \`${tool.name}\`: ${descriptionOf(tool)}`,
    ...Object.entries(tool.group ? tool.calls : {}).map(
      ([choice, { endpoint }]) =>
        `  - \`${choiceOf(tool)}: ${choice}\`: ${endpoint.summary}. \`${endpoint.companyPermission}\``,
    ),
  ]);
}

/** Most fields of `params` or `query`, and most characters of them together: more than any address has. */
const ADDRESS_FIELDS_MAX = 50;
const ADDRESS_CHARS_MAX = 16_000;

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Whether fields fit into an address: few and short ones, which are plain values or lists of them. */
function fitAddress(fields: Record<string, unknown>): boolean {
  const values = Object.values(fields);
  if (values.length > ADDRESS_FIELDS_MAX) return false;
  if (!values.flat().every(isPlain)) return false;
  return JSON.stringify(fields).length <= ADDRESS_CHARS_MAX;
}

/** A value that some assistants send as its JSON, or as null where it is absent. */
function tolerant<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => jsonOf(value) ?? undefined, schema.optional());
}

/** The parsed JSON of a text, if it is an object or a list that is not {@link isTooWide}; other values as they are. Pure. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const read: unknown = JSON.parse(value);
    return isTooWide(read) ? value : read;
  } catch {
    return value;
  }
}

/** Fields of an object at most. No call takes as many, and each is read several times. */
export const FIELDS_MAX = 1000;

/** Whether an object within a value has more than {@link FIELDS_MAX} fields. Pure. */
export function isTooWide(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next) && inner.length > FIELDS_MAX) return true;
    for (const one of inner) if (typeof one === 'object') open.push(one);
  }
  return false;
}

const addressFields = z
  .record(z.string(), z.unknown())
  .transform((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)))
  .refine(fitAddress, assistantMessages.addressFields(ADDRESS_FIELDS_MAX, ADDRESS_CHARS_MAX));

const choice = z
  .string()
  .max(100)
  .nullish()
  .transform((text) => text ?? undefined);

/** Arguments of a tool; the API validates the arguments of the call itself. */
export const ToolArguments = z.strictObject({
  what: choice,
  action: choice,
  params: tolerant(addressFields),
  query: tolerant(addressFields),
  body: tolerant(z.record(z.string(), z.unknown())),
  confirmation: z
    .string()
    .max(100)
    .nullish()
    .transform((text) => text || undefined),
  dry_run: z
    .union([z.boolean(), z.stringbool()])
    .nullish()
    .transform((isDry) => isDry ?? false),
});
export type ToolArguments = z.infer<typeof ToolArguments>;

/** Whether an API key has a scope for findings. */
export function readsReports({ scopes = [] }: Session): boolean {
  return scopesHave(scopes, 'report.read');
}
