import { sql } from 'kysely';
import { groupBy } from '../../platform/group-by.ts';
import { anyOf } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Which tracking link ad sets had over time. */
export interface LinkHistory {
  /** The link of an ad set at an instant, Unix ms; undefined for an unknown ad set. */
  linkAt(adsetId: string, atMs: number): string | undefined;
  /** When ad sets got another link, in order of time. */
  changes: readonly LinkChange[];
}

/** An ad set got another tracking link. */
export interface LinkChange {
  adsetId: string;
  atMs: number;
  /** The link until then. */
  beforeId: string;
}

/** Most changes of links that are read, the newest; clicks before them count for the link before the oldest one. */
const CHANGES_MAX = 1000;

/**
 * The tracking links of ad sets since an instant, by the change log. Takes several companies, since a batch has postbacks of
 * several; an ad set belongs to one.
 */
export async function linkHistory(
  db: Db,
  companyIds: readonly string[],
  adsetIds: readonly string[],
  sinceMs: number,
): Promise<LinkHistory> {
  if (adsetIds.length === 0) return historyOf([], []);
  const { rows: present } = await sql<{ adsetId: string; linkId: string }>`
    select uuid as "adsetId", tracking_link_uuid as "linkId" from adsets
    where company_uuid = ${anyOf(companyIds)} and uuid = ${anyOf(adsetIds)}`.execute(db);
  const { rows: changes } = await sql<{ adsetId: string; at: Date; beforeId: string }>`
    select c.entity_uuid as "adsetId", c.created_at as at, one #>> '{before,uuid}' as "beforeId"
    from changes c cross join lateral jsonb_array_elements(c.fields) as one
    where c.company_uuid = ${anyOf(companyIds)} and c.entity_uuid = ${anyOf(adsetIds)}
      and c.created_at >= ${new Date(sinceMs)} and c.action = 'update'
      and one ->> 'field' = 'tracking_link' and one #>> '{before,uuid}' is not null
    order by c.created_at desc limit ${CHANGES_MAX}`.execute(db);
  return historyOf(
    present,
    changes.map(({ adsetId, at, beforeId }) => ({ adsetId, atMs: at.getTime(), beforeId })).toReversed(),
  );
}

/** Ad sets of a company that have a tracking link, or had it since an instant. */
export async function adsetsWithLink(
  db: Db,
  companyId: string,
  linkId: string,
  sinceMs: number,
): Promise<string[]> {
  const { rows } = await sql<{ adsetId: string }>`
    select uuid as "adsetId" from adsets where company_uuid = ${companyId} and tracking_link_uuid = ${linkId}
    union
    select c.entity_uuid from changes c cross join lateral jsonb_array_elements(c.fields) as one
    where c.company_uuid = ${companyId} and c.entity_type = 'adset' and c.action = 'update'
      and c.created_at >= ${new Date(sinceMs)}
      and one ->> 'field' = 'tracking_link' and one #>> '{before,uuid}' = ${linkId}`.execute(db);
  return rows.map(({ adsetId }) => adsetId);
}

function historyOf(
  present: readonly { adsetId: string; linkId: string }[],
  changes: readonly LinkChange[],
): LinkHistory {
  const linkIds = new Map(present.map(({ adsetId, linkId }) => [adsetId, linkId]));
  const changesOf = groupBy(changes, ({ adsetId }) => adsetId);
  return {
    changes,
    linkAt: (adsetId, atMs) =>
      changesOf.get(adsetId)?.find((change) => change.atMs > atMs)?.beforeId ?? linkIds.get(adsetId),
  };
}
