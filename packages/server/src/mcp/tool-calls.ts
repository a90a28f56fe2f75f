import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { takesMatch } from '../platform/http/entity-tags.ts';
import type { ApiReply, CallApi, Caller, CallInput } from './api.ts';
import { confirmedState, newConfirmation, stateOf } from './confirmations.ts';
import { type Tool, ToolArguments, callOf, jsonOf, readerOf } from './tools.ts';
import { updateCompany, readUser } from '@bidwell/contract/accounts/endpoints';
import {
  listAlertChannels,
  listAlertRules,
  updateAlertChannel,
  updateAlertRule,
} from '@bidwell/contract/alerts/endpoints';
import { listCreatives, updateCreative } from '@bidwell/contract/creatives/endpoints';
import { type EntityVersion, versionOf } from '@bidwell/contract/lib/version';
import { readPostbacks, updatePostbackSource } from '@bidwell/contract/postbacks/endpoints';
import { listReportSchedules, updateReportSchedule } from '@bidwell/contract/report-schedules/endpoints';
import { hasPermission } from '../platform/permissions.ts';

/**
 * Calls a tool. A reading tool returns the data. A changing tool returns at its first call the change that it would make, with a
 * confirmation, and does it at a call with the same arguments and that confirmation: so an assistant that reads a text which asks for
 * a change cannot make it by one call.
 */
export async function callTool(
  ctx: Context,
  api: CallApi,
  caller: Caller,
  { name, input }: { name: string; input: unknown },
): Promise<CallToolResult> {
  const given = ToolArguments.safeParse(jsonOf(input) ?? {});
  if (!given.success) return failure(z.prettifyError(given.error));
  const { what, action, ...rest } = given.data;
  const tool = callOf(caller.session, name, what ?? action);
  if (typeof tool === 'string') return failure(tool);
  const call = { ...rest, body: rest.body && readBody(tool.endpoint, rest.body) };
  const missing = missingParams(tool, call);
  if (missing.length > 0) return failure(assistantMessages.paramsMissing(missing));
  if (tool.isRead) return resultOf(await api(caller, tool.endpoint, call));
  return change(ctx, api, caller, { tool, given: call });
}

/** A call and its arguments, without the argument that selects it. */
type CallArguments = Omit<ToolArguments, 'what' | 'action'>;

/** Times that a body is read again, each time one level of nesting deeper. */
const READINGS = 4;

/**
 * A body with the fields that the call takes: some assistants send nested objects as their JSON, and null for fields that they leave out. A value
 * that the call takes as it is stays. Pure.
 */
function readBody({ body: schema }: Endpoint, body: Record<string, unknown>): Record<string, unknown> {
  let read = body;
  if (!schema) return body;
  for (let count = 0; count < READINGS; count += 1) {
    const { error } = schema.safeParse(read);
    const next = structuredClone(read);
    const changed = (error?.issues ?? []).filter(({ path }) => correctAt(next, path));
    if (changed.length === 0) break;
    read = next;
  }
  return read;
}

/** Reads the JSON at a path of a body, or removes its null. Whether there was either. */
function correctAt(body: Record<string, unknown>, path: readonly PropertyKey[]): boolean {
  const last = path.at(-1);
  let holder: unknown = body;
  for (const key of path.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return false;
    holder = (holder as Record<PropertyKey, unknown>)[key];
  }
  if (last === undefined || typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last))
    return false;
  const fields = holder as Record<PropertyKey, unknown>;
  const value = fields[last];
  const isNull = value === null && !Array.isArray(holder);
  if (isNull) delete fields[last];
  else fields[last] = jsonOf(value);
  return isNull || fields[last] !== value;
}

/** The parts of a call's address that the arguments leave out: without them it would be the address of nothing, or of another call. */
function missingParams({ endpoint }: Tool, { params }: CallArguments): string[] {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return names.filter((name) => (params?.[name] ?? '') === '');
}

/** The result of a response of the API. */
export function resultOf({ status, data, text }: ApiReply): CallToolResult {
  return status < 300 ? dataResult(data) : dataFailure(text);
}

async function change(
  ctx: Context,
  api: CallApi,
  caller: Caller,
  { tool, given }: { tool: Tool; given: CallArguments },
): Promise<CallToolResult> {
  const { confirmation, dry_run: isDryRun, ...input } = given;
  const { endpoint } = tool;
  const invalid = [endpoint.params, endpoint.query, endpoint.body].flatMap((schema, index) => {
    const parsed = schema?.safeParse([input.params, input.query, input.body][index] ?? {});
    return parsed?.success === false ? [z.prettifyError(parsed.error)] : [];
  });
  if (invalid.length > 0) return failure(invalid.join('\n'));
  const before = await readBefore(api, caller, { tool, input });
  if ('failed' in before) return resultOf(before.failed);
  const { entity, etag } = before;
  const shown = { ...namesOf(entity), ...changesOf(entity, input) };
  // Not the whole entity: its figures change by themselves.
  const state = etag ?? stateOf([entity?.['updated_at'], shown]);
  if (confirmation === undefined || isDryRun) {
    return dataResult({
      note: isDryRun ? assistantMessages.dryRun : assistantMessages.notConfirmed,
      would: endpoint.summary,
      ...shown,
      ...(!isDryRun && (await newConfirmation(ctx, caller.session, { call: [tool.name, input], state }))),
    });
  }
  const confirmed = await confirmedState(ctx, caller.session, confirmation, [tool.name, input]);
  if (confirmed === null) return failure(assistantMessages.confirmationInvalid);
  if (confirmed !== state) return failure(assistantMessages.changedSince);
  const reply = await api(caller, endpoint, input, {
    ...(Object.hasOwn(endpoint.response, 201) && !endpoint.answersSecret && { idempotencyKey: confirmation }),
    // A user may change it after it was read.
    ...(etag !== undefined && takesMatch(endpoint.method) && { ifMatch: etag }),
  });
  return reply.status === 412 ? failure(assistantMessages.changedSince) : resultOf(reply);
}

/** The fields by which the person recognizes the entity. */
function namesOf(entity: Record<string, unknown> | null): object {
  const { name, status } = entity ?? {};
  return name === undefined ? {} : { entity: { name, status } };
}

/** The fields that an update would change, with their values before and after; for other calls, the body. */
function changesOf(entity: Record<string, unknown> | null, { body }: Pick<CallArguments, 'body'>): object {
  if (!body) return {};
  if (!entity) return { sent: body };
  const changes = Object.entries(body)
    .filter(([field, after]) => JSON.stringify(entity[field]) !== JSON.stringify(after))
    .map(([field, after]) => ({ field, before: entity[field] ?? null, after }));
  return { changes };
}

/** A result of data, which texts of strangers may be part of: JSON, in which they cannot end their quotes. */
function dataResult(value: unknown): CallToolResult {
  return {
    content: [
      { type: 'text', text: assistantMessages.data },
      { type: 'text', text: boundedJson(value) },
    ],
  };
}

/** Longer results would fill an assistant's memory. */
const TEXT_MAX = 60_000;

/** A failure, in a sentence of the server. */
export function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: text.slice(0, TEXT_MAX) }] };
}

/** A failure of the API, whose sentence may have names of the account in it. */
function dataFailure(text: string): CallToolResult {
  return { ...dataResult(text.slice(0, TEXT_MAX / 2)), isError: true };
}

/** JSON of a value; of a long one the beginning, as a text within JSON that says so. */
export function boundedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= TEXT_MAX) return text;
  return JSON.stringify({
    cut: assistantMessages.cut(Buffer.byteLength(text)),
    beginning: text.slice(0, TEXT_MAX / 2),
  });
}

/** The entity before the change. */
interface EntityBefore {
  /** Null if there is none, or the key may not read it. */
  entity: Record<string, unknown> | null;
  /** The ETag of the entity; absent where its changes are not compared. */
  etag?: string;
}

/** Calls that return entities without a call of their own, by their version. */
const HOLDERS = new Map<EntityVersion, Endpoint>([
  [updateAlertChannel.version, listAlertChannels],
  [updateAlertRule.version, listAlertRules],
  [updateCompany.version, readUser],
  [updateCreative.version, listCreatives],
  [updatePostbackSource.version, readPostbacks],
  [updateReportSchedule.version, listReportSchedules],
]);

/** Reads the entity that a call changes; returns the response of a failed read. */
async function readBefore(
  api: CallApi,
  caller: Caller,
  { tool: { endpoint }, input }: { tool: Tool; input: CallInput },
): Promise<EntityBefore | { failed: ApiReply }> {
  const reader = readerOf(endpoint);
  const { version } = endpoint;
  if (reader) {
    const reply = await api(caller, reader, { params: input.params });
    if (reply.status >= 300) return { failed: reply };
    const etag = version && reader.version === version ? reply.etag : undefined;
    return { entity: reply.data as Record<string, unknown> | null, ...(etag !== undefined && { etag }) };
  }
  const holder = version && HOLDERS.get(version);
  const ids = Object.values((input.params ?? {}) as object);
  if (!holder || ids.length === 0 || !hasPermission(caller.session, holder.companyPermission!))
    return { entity: null };
  const params = holder === readUser ? { user_id: caller.session.userId } : {};
  const reply = await api(caller, holder, { params });
  if (reply.status >= 300) return { failed: reply };
  const entity = entityIn(version, reply.data, ids);
  return entity ? { entity, etag: `"${versionOf(version, entity)}"` } : { entity: null };
}

/** The entity in the lists of a response that has one of the ids. Pure. */
function entityIn(
  { schema }: EntityVersion,
  data: unknown,
  ids: readonly unknown[],
): Record<string, unknown> | null {
  const items = Object.values(data as Record<string, unknown>).flat() as (Record<string, unknown> | null)[];
  const isMeant = (item: Record<string, unknown> | null): item is Record<string, unknown> => {
    const asset = item?.['internal_creative'] as { uuid?: string } | undefined;
    const isNamed = [item?.['uuid'], item?.['mmp'], asset?.uuid].some(
      (id) => id !== undefined && ids.includes(id),
    );
    // Other lists of the response name it too.
    return isNamed && schema.safeParse(item).success;
  };
  return items.find(isMeant) ?? null;
}
