import type { Mmp } from '@bidwell/contract/apps/fields';
import type { PostbackOutcome, PostbackReason } from '@bidwell/contract/postbacks/schema';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { Period } from '../reporting/public.ts';
import { NIL } from 'uuid';

/** Which postbacks of a company a report is about; postbacks of no tracking link are always of `mmp`, or of all partners. */
export interface PostbackFilter {
  campaignId?: string | undefined;
  trackingLinkId?: string | undefined;
  mmp?: Mmp | undefined;
}

/** The postbacks of a partner and a tracking link. */
export interface PostbacksOfLink {
  mmp: Mmp;
  /** Null where the link is not known. */
  trackingLinkId: string | null;
  lastAtMs: number;
  outcomes: readonly [
    outcome: PostbackOutcome,
    reason: PostbackReason,
    touchpoint: 'click' | 'impression' | '',
    hasClickId: 0 | 1,
    count: number,
  ][];
}

/** Condition on the rows of a company's postbacks in a period, without test traffic. */
export const MATCHES = `company_id = {company:UUID} and test = 0
  and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
  and if(tracking_link_id = {nil:UUID},
    {mmp:String} = '' or p.mmp = {mmp:String},
    ({campaign:UUID} = {nil:UUID} or campaign_id = {campaign:UUID})
      and ({link:UUID} = {nil:UUID} or tracking_link_id = {link:UUID}))`;

/** The parameters of {@link MATCHES}. */
export function paramsOf(
  companyId: string,
  { fromMs, beforeMs }: Period,
  { campaignId = NIL, trackingLinkId = NIL, mmp }: PostbackFilter,
) {
  return {
    company: companyId,
    from: clickhouseTime(fromMs),
    before: clickhouseTime(beforeMs),
    campaign: campaignId,
    link: trackingLinkId,
    mmp: mmp ?? '',
    nil: NIL,
  };
}

/** Postbacks of a company by partner and tracking link, those with the most first. */
export async function postbacksByLink(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  filter: PostbackFilter,
  { rows, settings }: { rows: number; settings: QuerySettings },
): Promise<readonly PostbacksOfLink[]> {
  return clickhouse.query<PostbacksOfLink>(
    `select mmp, if(link = {nil:UUID}, null, toString(link)) as trackingLinkId, max(lastMs) as lastAtMs,
       groupArray((outcome, reason, touchpoint, hasClickId, count)) as outcomes
     from (
       select p.mmp as mmp, tracking_link_id as link, outcome, reason, touchpoint, click_id != '' as hasClickId,
         count() as count, max(toUnixTimestamp64Milli(time)) as lastMs
       from postbacks as p where ${MATCHES}
       group by mmp, link, outcome, reason, touchpoint, hasClickId
     )
     group by mmp, link order by sum(count) desc, mmp, link limit {rows:UInt32}`,
    { ...paramsOf(companyId, period, filter), rows },
    'JSON',
    settings,
  );
}

/** How often a partner gave its own reason for rejecting an install. */
export interface PartnerReason {
  mmp: Mmp;
  trackingLinkId: string | null;
  partnerReason: string;
  count: number;
}

/** Most reasons of a partner for each tracking link: the texts come from outside. */
const PARTNER_REASONS_MAX = 5;

/** The reasons that partners gave for rejecting installs, the most frequent of each tracking link. */
export async function partnerReasons(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  filter: PostbackFilter,
  { rows, settings }: { rows: number; settings: QuerySettings },
): Promise<readonly PartnerReason[]> {
  return clickhouse.query<PartnerReason>(
    `select mmp, if(link = {nil:UUID}, null, toString(link)) as trackingLinkId, partnerReason, count
     from (
       select p.mmp as mmp, tracking_link_id as link, partner_reason as partnerReason, count() as count
       from postbacks as p where ${MATCHES} and outcome in ('rejected', 'taken_back') and partner_reason != ''
       group by mmp, link, partnerReason
     )
     order by count desc, partnerReason limit ${PARTNER_REASONS_MAX} by mmp, link limit {rows:UInt32}`,
    { ...paramsOf(companyId, period, filter), rows },
    'JSON',
    settings,
  );
}

/** Clicks of an ad set between two changes of its tracking link. */
export interface ClicksOfPart {
  adsetId: string;
  /** The first click, Unix ms. */
  firstAtMs: number;
  clicks: number;
}

/** Clicks of some ad sets in a period, without test traffic, apart by the times at which their tracking link changed. */
export async function clicksBetween(
  clickhouse: ClickHouse,
  companyId: string,
  { fromMs, beforeMs }: Period,
  {
    campaignId = NIL,
    changes,
  }: { campaignId?: string | undefined; changes: readonly { adsetId: string; atMs: number }[] },
  settings: QuerySettings,
): Promise<readonly ClicksOfPart[]> {
  if (changes.length === 0 || fromMs >= beforeMs) return [];
  return clickhouse.query<ClicksOfPart>(
    `select adset_id as adsetId, toUnixTimestamp64Milli(min(time)) as firstAtMs, count() as clicks
     from events
     where company_id = {company:UUID} and test = 0 and kind = 'click' and adset_id in {adsets:Array(UUID)}
       and ({campaign:UUID} = {nil:UUID} or campaign_id = {campaign:UUID})
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by adset_id,
       arrayCount((adset, at) -> adset = adset_id and at <= toUnixTimestamp64Milli(time), {adsets:Array(UUID)}, {times:Array(Int64)})`,
    {
      company: companyId,
      campaign: campaignId,
      nil: NIL,
      adsets: changes.map(({ adsetId }) => adsetId),
      times: changes.map(({ atMs }) => atMs),
      from: clickhouseTime(fromMs),
      before: clickhouseTime(beforeMs),
    },
    'JSON',
    settings,
  );
}
