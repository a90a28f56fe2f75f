import { updateCompany, readUser } from '@bidwell/contract/accounts/endpoints';
import {
  listAlertChannels,
  listAlertRules,
  updateAlertChannel,
  updateAlertRule,
} from '@bidwell/contract/alerts/endpoints';
import { listCreatives, updateCreative } from '@bidwell/contract/creatives/endpoints';
import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { type EntityVersion, versionOf } from '@bidwell/contract/lib/version';
import { readPostbacks, updatePostbackSource } from '@bidwell/contract/postbacks/endpoints';
import { listReportSchedules, updateReportSchedule } from '@bidwell/contract/report-schedules/endpoints';
import { hasPermission } from '../platform/permissions.ts';
import type { ApiReply, CallApi, CallInput, Caller } from './api.ts';
import { type Tool, readerOf } from './tools.ts';

/** What a call changes, as it is before. */
export interface EntityBefore {
  /** Null where there is none, or the key may not read it. */
  entity: Record<string, unknown> | null;
  /** The ETag of the entity; absent where its changes are not compared. */
  etag?: string;
}

/** Where entities are that cannot be read by themselves, by what their versions are made of. */
const HOLDERS = new Map<EntityVersion, Endpoint>([
  [updateAlertChannel.version, listAlertChannels],
  [updateAlertRule.version, listAlertRules],
  [updateCompany.version, readUser],
  [updateCreative.version, listCreatives],
  [updatePostbackSource.version, readPostbacks],
  [updateReportSchedule.version, listReportSchedules],
]);

/** Reads what a call changes, or the response of a reading that failed. */
export async function readBefore(
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

/** The entity in the lists of a response that one of the ids is of. Pure. */
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
