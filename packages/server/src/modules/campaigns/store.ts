import type { Algorithm } from '@bidwell/contract/adsets/goals';
import { type GoalField, missingGoal } from '@bidwell/contract/adsets/missing-goal';
import { type Selectable, sql } from 'kysely';
import { anyOf } from '../../platform/postgres/client.ts';
import type { AdsetTable, CampaignTable } from '../../platform/postgres/schema.ts';
import { lacksGoal } from '../../delivery/public.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type CampaignRow = Selectable<CampaignTable>;

/** An ad set in the response body of a campaign. */
export type CampaignAdsetRow = Pick<Selectable<AdsetTable>, 'uuid' | 'name' | 'status' | 'campaign_uuid'>;

/** An ad set that is to be added to a campaign, with its present campaign and its app. */
export interface CandidateAdsetRow {
  uuid: string;
  name: string;
  algo: Algorithm;
  audience_include: string[][];
  audience_exclude: string[];
  exclude_installed: boolean;
  app_uuid: string;
  campaign_uuid: string | null;
  campaign_name: string | null;
}

/** The company's campaigns among `uuids`, in no order. */
export async function findCampaigns(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<CampaignRow[]> {
  if (uuids.length === 0) return [];
  return db
    .selectFrom('campaigns')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .execute();
}

/** A campaign and its company. */
export type CampaignKey = Pick<CampaignRow, 'uuid' | 'company_uuid'>;

const unreviewed = (table: string) =>
  sql`${sql.ref(`${table}.status`)} = 'Moderation' and ${sql.ref(`${table}.approved`)} is null`;

/**
 * Whether a campaign has an ad set, and all its parts have passed their first review, including the texts of its creative
 * groups.
 */
const isReviewed = sql<boolean>`(
  exists (select 1 from adsets s where s.campaign_uuid = campaigns.uuid and s.archived_at is null)
  and not exists (select 1 from apps a where a.uuid = campaigns.app_uuid and ${unreviewed('a')})
  and not exists (
    select 1 from adsets s join tracking_links l on l.uuid = s.tracking_link_uuid and l.archived_at is null
    where s.campaign_uuid = campaigns.uuid and s.archived_at is null and ${unreviewed('l')}
  )
  and not exists (
    select 1 from adsets s
      join adset_creative_groups sg on sg.adset_uuid = s.uuid
      join creative_groups g on g.uuid = sg.creative_group_uuid and g.archived_at is null
    where s.campaign_uuid = campaigns.uuid and s.archived_at is null
      and g.texts_status = 'Moderation' and g.approved is null
  )
  and not exists (
    select 1 from adsets s
      join adset_creative_groups sg on sg.adset_uuid = s.uuid
      join creative_groups g on g.uuid = sg.creative_group_uuid and g.archived_at is null
      join creative_group_creatives gk on gk.creative_group_uuid = g.uuid
      join creatives k on k.uuid = gk.creative_uuid and k.archived_at is null
    where s.campaign_uuid = campaigns.uuid and s.archived_at is null and ${unreviewed('k')}
  )
)`;

/** Campaigns that are to start by themselves and of which everything is reviewed, of companies that are not suspended. */
const approvedCampaigns = (db: Db) =>
  db
    .selectFrom('campaigns')
    .innerJoin('companies', 'companies.uuid', 'campaigns.company_uuid')
    .where('campaigns.start_when_approved', '=', true)
    .where('campaigns.status', '=', 'Paused')
    .where('campaigns.archived_at', 'is', null)
    .where('companies.suspended_at', 'is', null)
    .where(isReviewed);

/**
 * At most `limit` campaigns whose automatic start is due, the first of each company before the second of any. Covers all
 * companies: for a background job only.
 */
export async function campaignsToStart(db: Db, limit: number): Promise<CampaignKey[]> {
  return db
    .selectFrom(
      approvedCampaigns(db)
        .select(['campaigns.uuid', 'campaigns.company_uuid'])
        .select(
          sql<number>`row_number() over (partition by campaigns.company_uuid order by campaigns.uuid)`.as(
            'turn',
          ),
        )
        .as('approved'),
    )
    .select(['uuid', 'company_uuid'])
    .orderBy('turn')
    .orderBy('uuid')
    .limit(limit)
    .execute();
}

/** Whether a campaign is to start by itself now. */
export async function isToStart(db: Db, { company_uuid: companyId, uuid }: CampaignKey): Promise<boolean> {
  const row = await approvedCampaigns(db)
    .select('campaigns.uuid')
    .where('campaigns.company_uuid', '=', companyId)
    .where('campaigns.uuid', '=', uuid)
    .executeTakeFirst();
  return row !== undefined;
}

export async function adsetsOfCampaigns(
  db: Db,
  companyId: string,
  campaignUuids: readonly string[],
): Promise<CampaignAdsetRow[]> {
  if (campaignUuids.length === 0) return [];
  return db
    .selectFrom('adsets')
    .select(['uuid', 'name', 'status', 'campaign_uuid'])
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', anyOf(campaignUuids))
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
}

/** The parts of a campaign that cannot run until they are reviewed. */
export interface CampaignReviewRow {
  campaign_uuid: string;
  app: boolean;
  creatives: number;
  tracking_links: number;
}

/** The campaigns of which something cannot run until it is reviewed, and what. */
export async function reviewsOfCampaigns(
  db: Db,
  companyId: string,
  campaignUuids: readonly string[],
): Promise<CampaignReviewRow[]> {
  if (campaignUuids.length === 0) return [];
  const { rows } = await sql<CampaignReviewRow>`
    with waiting as (
      select c.uuid as campaign_uuid, 'app' as kind, a.uuid
      from campaigns c join apps a on a.uuid = c.app_uuid
      where c.company_uuid = ${companyId} and a.status = 'Moderation' and a.approved is null
      union
      select s.campaign_uuid, 'creative', k.uuid
      from creatives k
        join creative_group_creatives gk on gk.creative_uuid = k.uuid
        join creative_groups g on g.uuid = gk.creative_group_uuid and g.archived_at is null
        join adset_creative_groups sg on sg.creative_group_uuid = g.uuid
        join adsets s on s.uuid = sg.adset_uuid and s.archived_at is null
      where k.company_uuid = ${companyId} and k.status = 'Moderation' and k.approved is null
        and k.archived_at is null
      union
      select s.campaign_uuid, 'tracking_link', l.uuid
      from tracking_links l join adsets s on s.tracking_link_uuid = l.uuid and s.archived_at is null
      where l.company_uuid = ${companyId} and l.status = 'Moderation' and l.approved is null
        and l.archived_at is null
    )
    select campaign_uuid,
      bool_or(kind = 'app') as app,
      count(*) filter (where kind = 'creative')::int as creatives,
      count(*) filter (where kind = 'tracking_link')::int as tracking_links
    from waiting where campaign_uuid = ${anyOf(campaignUuids)} group by campaign_uuid
  `.execute(db);
  return rows;
}

/** The company's ad sets among `uuids`, locked until the transaction ends. */
export async function lockAdsets(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<CandidateAdsetRow[]> {
  if (uuids.length === 0) return [];
  return db
    .selectFrom('adsets')
    .innerJoin('targets', 'targets.uuid', 'adsets.target_uuid')
    .leftJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .select([
      'adsets.uuid',
      'adsets.name',
      'adsets.algo',
      'adsets.audience_include',
      'adsets.audience_exclude',
      'adsets.exclude_installed',
      'adsets.campaign_uuid',
      'targets.app_uuid',
      'campaigns.name as campaign_name',
    ])
    .where('adsets.company_uuid', '=', companyId)
    .where('adsets.uuid', 'in', uuids)
    .orderBy('adsets.uuid')
    .forUpdate('adsets')
    .execute();
}

/** Replaces the ad sets of a campaign. */
export async function assignAdsets(
  db: Db,
  companyId: string,
  campaignUuid: string,
  uuids: readonly string[],
): Promise<void> {
  await db
    .updateTable('adsets')
    .set({ campaign_uuid: null })
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', campaignUuid)
    .execute();
  if (uuids.length === 0) return;
  await db
    .updateTable('adsets')
    .set({ campaign_uuid: campaignUuid })
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', uuids)
    .execute();
}

/** Number of a company's campaigns that are Active. */
export async function activeCampaignCount(db: Db, companyId: string): Promise<number> {
  const { count } = await db
    .selectFrom('campaigns')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('company_uuid', '=', companyId)
    .where('status', '=', 'Active')
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** An Active ad set of the campaign, or of those among `uuids`, that lacks a field of its bid strategy's goal, if any. */
export async function adsetWithoutGoal(
  db: Db,
  companyId: string,
  campaignUuid: string,
  uuids?: readonly string[],
): Promise<{ name: string; field: GoalField } | undefined> {
  const row = await db
    .selectFrom('adsets')
    .select(['name', 'algo', 'bet_cpi_micros', 'goal_event', 'cpa_micros', 'roas_percent'])
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', campaignUuid)
    .where('status', '=', 'Active')
    .where('archived_at', 'is', null)
    .where(lacksGoal())
    .$if(uuids !== undefined, (query) => query.where('uuid', '=', anyOf(uuids ?? [])))
    .orderBy('name')
    .limit(1)
    .executeTakeFirst();
  const field =
    row &&
    missingGoal({
      algo: row.algo,
      bet_cpi: row.bet_cpi_micros,
      goal_event: row.goal_event,
      cpa: row.cpa_micros,
      roas: row.roas_percent,
    });
  return row && field ? { name: row.name, field } : undefined;
}

/** The name of an Active ad set of the campaign that includes no audience, if any. */
export async function adsetWithoutAudience(
  db: Db,
  companyId: string,
  campaignUuid: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('adsets')
    .select('name')
    .where('company_uuid', '=', companyId)
    .where('campaign_uuid', '=', campaignUuid)
    .where('status', '=', 'Active')
    .where('archived_at', 'is', null)
    .where(sql<boolean>`audience_include = '[]'`)
    .orderBy('name')
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}

/** Whether a creative is not native, or has an approved headline and sponsor of its own or its group's. */
const hasNativeTexts = sql<boolean>`(
  internal_creatives.type <> 'Native' or (
    ${approvedNativeText('title')} <> '' and ${approvedNativeText('sponsor')} <> ''
  )
)`;

function approvedNativeText(name: 'title' | 'sponsor') {
  const column = `native_${name}`;
  return sql<string>`coalesce(
    nullif(
      case when creatives.approved is null then ${sql.ref(`internal_creatives.${name}`)}
        else creatives.approved ->> ${sql.lit(name)} end,
      ''
    ),
    case when creative_groups.texts_status = 'Approved' then ${sql.ref(`creative_groups.${column}`)}
      else creative_groups.approved ->> ${sql.lit(column)} end,
    ''
  )`;
}

/**
 * Whether an Active ad set of the campaign has an approved tracking link, and a running creative group with an
 * approved creative of the campaign's app.
 */
export async function hasSomethingToShow(db: Db, companyId: string, campaignUuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('campaigns')
    .innerJoin('adsets', 'adsets.campaign_uuid', 'campaigns.uuid')
    .innerJoin('targets', 'targets.uuid', 'adsets.target_uuid')
    .innerJoin('tracking_links', 'tracking_links.uuid', 'adsets.tracking_link_uuid')
    .innerJoin('adset_creative_groups', 'adset_creative_groups.adset_uuid', 'adsets.uuid')
    .innerJoin('creative_groups', 'creative_groups.uuid', 'adset_creative_groups.creative_group_uuid')
    .innerJoin(
      'creative_group_creatives',
      'creative_group_creatives.creative_group_uuid',
      'creative_groups.uuid',
    )
    .innerJoin('creatives', (join) =>
      join
        .onRef('creatives.uuid', '=', 'creative_group_creatives.creative_uuid')
        .onRef('creatives.app_uuid', '=', 'campaigns.app_uuid'),
    )
    .innerJoin('internal_creatives', 'internal_creatives.uuid', 'creatives.internal_creative_uuid')
    .select('creatives.uuid')
    .where('campaigns.company_uuid', '=', companyId)
    .where('campaigns.uuid', '=', campaignUuid)
    .where('adsets.status', '=', 'Active')
    .where('adsets.archived_at', 'is', null)
    .where('targets.archived_at', 'is', null)
    .where('tracking_links.archived_at', 'is', null)
    .where('creative_groups.paused', '=', false)
    .where('creative_groups.archived_at', 'is', null)
    .where('creatives.archived_at', 'is', null)
    .where(hasNativeTexts)
    .where((eb) => eb.or([eb('creatives.status', '=', 'Approved'), eb('creatives.approved', 'is not', null)]))
    .where((eb) =>
      eb.or([eb('tracking_links.status', '=', 'Approved'), eb('tracking_links.approved', 'is not', null)]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
