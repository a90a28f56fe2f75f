import { scopesHave, scopesWith } from '@bidwell/contract/accounts/scope';
import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { keyEndpoints } from '@bidwell/contract/lib/key-calls';
import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Session } from '../platform/http/auth/auth.ts';
import { hasPermission } from '../platform/permissions.ts';

/** A tool, made of a call of the API. */
export interface Tool {
  name: string;
  endpoint: Endpoint;
  isRead: boolean;
}

/** Addresses of an earlier form, and what takes a file: assistants have no use for them. */
const LEFT_OUT = /Alias$|InternalCreativeGroup$/;

const callable = keyEndpoints();

const tools = new Map(
  callable
    .filter(({ name, endpoint }) => !LEFT_OUT.test(name) && hasJson(endpoint))
    .map(({ name, endpoint }): [string, Tool] => {
      const own = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [own, { name: own, endpoint, isRead: endpoint.companyPermission!.endsWith('.read') }];
    }),
);

/** Whether a call takes and answers JSON. */
function hasJson({ form, body, response }: Endpoint): boolean {
  return (!form || body !== undefined) && !('content' in (response[200] ?? response[201]!));
}

/** The tools that an API key may call. */
export function toolsOf(session: Session): Tool[] {
  return [...tools.values()].filter(({ endpoint }) => hasPermission(session, endpoint.companyPermission!));
}

/** A tool that an API key may call; undefined without one. */
export function toolOf(session: Session, name: string): Tool | undefined {
  const tool = tools.get(name);
  return tool && hasPermission(session, tool.endpoint.companyPermission!) ? tool : undefined;
}

/** The call that reads an entity of which another one is about: `GET /campaign/:uuid` of `POST /campaign/:uuid/start`. */
export function readerOf({ path }: Endpoint): Endpoint | undefined {
  const [entity] = /^\/\w+\/:uuid/.exec(path) ?? [];
  return callable.find(({ endpoint }) => endpoint.method === 'GET' && endpoint.path === entity)?.endpoint;
}

const schemas = new Map<string, ListedTool['inputSchema']>();

/** A tool as it is listed; its schema is made once. */
export function listedTool({ name, endpoint, isRead }: Tool): ListedTool {
  const inputSchema = schemas.get(name) ?? inputSchemaOf(endpoint, isRead);
  schemas.set(name, inputSchema);
  const scopes = scopesWith(endpoint.companyPermission!);
  const needs = isRead ? assistantMessages.reads(scopes) : assistantMessages.writes(scopes);
  return {
    name,
    description: `${endpoint.summary}. ${needs}`,
    inputSchema,
    annotations: { readOnlyHint: isRead, destructiveHint: !isRead, openWorldHint: false },
  };
}

function inputSchemaOf({ params, query, body }: Endpoint, isRead: boolean): ListedTool['inputSchema'] {
  const parts = Object.entries({ params, query, body }).flatMap(([name, schema]) =>
    schema ? [[name, schema.safeParse({}).success ? schema.optional() : schema] as const] : [],
  );
  const schema = z.object({ ...Object.fromEntries(parts), ...(isRead ? {} : confirming) });
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as ListedTool['inputSchema'];
}

/** What tools take that change something. */
const confirming = {
  confirmation: z.string().max(100).optional().describe(assistantMessages.confirmationArgument),
  dry_run: z.boolean().optional().describe(assistantMessages.dryRunArgument),
};

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

const addressFields = z
  .record(z.string(), z.unknown())
  .refine(fitAddress, assistantMessages.addressFields(ADDRESS_FIELDS_MAX, ADDRESS_CHARS_MAX));

/** Arguments of a tool; those of the call itself are validated by the API. */
export const ToolArguments = z.strictObject({
  params: addressFields.optional(),
  query: addressFields.optional(),
  body: z.record(z.string(), z.unknown()).optional(),
  ...confirming,
});
export type ToolArguments = z.infer<typeof ToolArguments>;

/** Whether an API key has a scope for findings. */
export function readsReports({ scopes = [] }: Session): boolean {
  return scopesHave(scopes, 'report.read');
}
