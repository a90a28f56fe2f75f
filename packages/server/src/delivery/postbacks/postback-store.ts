import type { Mmp } from '@bidwell/contract/apps/fields';
import type { PostbackOutcome, PostbackReason } from '@bidwell/contract/postbacks/schema';
import { truncate } from '@bidwell/contract/lib/truncate';
import { grainSql, measureSql } from '../../platform/clickhouse/aggregates.ts';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { everyReplica, everyReplicaSettings } from '../../platform/clickhouse/cluster.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { InstallCounts } from '../learning/install-rates.ts';
import type { AppEvent } from '../model/event.ts';
import { NIL } from 'uuid';

/** A postback as received, with its outcome. */
export interface PostbackRow {
  /** Unique for each postback, so that a repeated insert is recognized. */
  id: string;
  atMs: number;
  companyId: string;
  mmp: Mmp;
  /** The outcome; for an in-app event, the outcome of that event. */
  outcome: PostbackOutcome;
  reason: PostbackReason;
  clickId: string;
  /** JSON. */
  parameters: string;
  /** The campaign of its click; '' where the click could not be read. */
  campaignId: string;
  trackingLinkId: string;
  /** The event that its install is attributed to; '' for none. */
  touchpoint: 'click' | 'impression' | '';
  /** The partner's own reason for a rejection; '' for none. */
  partnerReason: string;
  /** The app of a postback that names no click; '' for none. */
  namedAppId: string;
  /** Whether its bid was for a test request. */
  test: boolean;
  /** The event in the app that it is about, of the advertised app `appId`; null for none, and where no click of the company is named. */
  event: { id: string; kind: 'event' | 'retargeting'; appId: string; app: AppEvent } | null;
}

const CLICK_ID_CHARS_MAX = 1000;
const PARAMETERS_CHARS_MAX = 8192;
const PARTNER_REASON_CHARS_MAX = 100;

/** Stores decided postbacks in one insert. Works across companies, since a batch does. */
export async function storePostbacks(clickhouse: ClickHouse, rows: readonly PostbackRow[]): Promise<void> {
  if (rows.length === 0) return;
  await clickhouse.insert(
    'postbacks',
    rows.map((row) => ({
      id: row.id,
      time: clickhouseTime(row.atMs),
      company_id: row.companyId,
      mmp: row.mmp,
      outcome: rowOutcome(row),
      reason: row.reason,
      click_id: truncate(row.clickId, CLICK_ID_CHARS_MAX),
      parameters: truncate(row.parameters, PARAMETERS_CHARS_MAX),
      campaign_id: row.campaignId || NIL,
      tracking_link_id: row.trackingLinkId || NIL,
      touchpoint: row.touchpoint,
      partner_reason: truncate(row.partnerReason, PARTNER_REASON_CHARS_MAX),
      test: row.test ? 1 : 0,
      ...eventColumns(row),
    })),
  );
}

/** The outcome of the postback itself, which differs from the outcome of its in-app event. */
export function rowOutcome({ event, outcome }: Pick<PostbackRow, 'event' | 'outcome'>): PostbackOutcome {
  return event?.kind ?? outcome;
}

/** The columns of an in-app event; other postbacks have the table's defaults. */
function eventColumns({ event, outcome, namedAppId }: PostbackRow) {
  return {
    event_id: event?.id ?? NIL,
    event_outcome: event ? outcome : '',
    app_id: (event?.appId ?? namedAppId) || NIL,
    event_name: event?.app.name ?? '',
    revenue_amount: event?.app.amount ?? '',
    revenue_currency: event?.app.currency ?? '',
    revenue_micros: event?.app.revenueMicros ?? 0,
    revenue_known: event?.app.revenueMicros === undefined ? 0 : 1,
  };
}

/** The outcomes of a decided postback. */
export interface Outcomes {
  /** Of its in-app event if it has one, else of itself. */
  outcome: PostbackOutcome;
  /** Of itself, see {@link rowOutcome}. */
  ofPostback: PostbackOutcome;
}

/** The outcomes of the postbacks among these that are stored, by id. Works across companies, as {@link storePostbacks}. */
export async function storedOutcomes(
  clickhouse: ClickHouse,
  postbacks: readonly Pick<PostbackRow, 'id' | 'companyId' | 'atMs'>[],
): Promise<ReadonlyMap<string, Outcomes>> {
  if (postbacks.length === 0) return new Map();
  const found = await clickhouse.query<{
    id: string;
    ofPostback: PostbackOutcome;
    ofEvent: PostbackOutcome | '';
  }>(
    `select id, outcome as ofPostback, event_outcome as ofEvent from ${everyReplica(clickhouse.cluster, 'postbacks')}
     where company_id in {companies:Array(UUID)} and time >= {since:DateTime64(3, 'UTC')} and id in {ids:Array(UUID)}`,
    {
      companies: [...new Set(postbacks.map(({ companyId }) => companyId))],
      since: clickhouseTime(postbacks.reduce((first, { atMs }) => Math.min(first, atMs), Infinity)),
      ids: postbacks.map(({ id }) => id),
    },
    'JSON',
    everyReplicaSettings(clickhouse.cluster),
  );
  return new Map(
    found.map(({ id, ofPostback, ofEvent }) => [id, { outcome: ofEvent || ofPostback, ofPostback }]),
  );
}

/** The click ids among these whose install a stored postback counted. */
export async function countedClickIds(
  clickhouse: ClickHouse,
  rows: readonly Pick<PostbackRow, 'companyId' | 'clickId' | 'atMs'>[],
): Promise<ReadonlySet<string>> {
  const found = await clickhouse.query<{ clickId: string }>(
    `select click_id as clickId from ${everyReplica(clickhouse.cluster, 'postbacks')}
     where company_id in {companies:Array(UUID)} and outcome = 'stored' and click_id in {clicks:Array(String)}`,
    {
      companies: [...new Set(rows.map(({ companyId }) => companyId))],
      clicks: rows.map(({ clickId }) => truncate(clickId, CLICK_ID_CHARS_MAX)),
    },
    'JSON',
    everyReplicaSettings(clickhouse.cluster),
  );
  return new Set(found.map(({ clickId }) => clickId));
}

/** The ids of events in the app among these that a stored postback counted. */
export async function countedEventIds(
  clickhouse: ClickHouse,
  rows: readonly Pick<PostbackRow, 'companyId' | 'event'>[],
): Promise<ReadonlySet<string>> {
  const events = rows.flatMap(({ companyId, event }) => (event ? [{ companyId, id: event.id }] : []));
  if (events.length === 0) return new Set();
  const found = await clickhouse.query<{ id: string }>(
    `select event_id as id from ${everyReplica(clickhouse.cluster, 'postbacks')}
     where company_id in {companies:Array(UUID)} and event_outcome = 'stored' and event_id in {ids:Array(UUID)}`,
    { companies: [...new Set(events.map(({ companyId }) => companyId))], ids: events.map(({ id }) => id) },
    'JSON',
    everyReplicaSettings(clickhouse.cluster),
  );
  return new Set(found.map(({ id }) => id));
}

/** Most pairs of ad set and app that are read at start: the pairs with the most clicks. */
const PAIRS_MAX = 100_000;

/** Memory for the groups of the query at start, bytes; beyond it they are written to disk temporarily. */
const GROUP_BYTES_MAX = 64 * 1024 ** 2;

/**
 * Clicks without invalid traffic, and installs used for training, by ad set and app since the day of an instant. Works
 * across companies. Reads the aggregate `daily_history`.
 */
export async function installCountsSince(
  clickhouse: ClickHouse,
  sinceMs: number,
): Promise<readonly InstallCounts[]> {
  return clickhouse.query<InstallCounts>(
    `select * from (
       select adset_id as adsetId, bundle, ${measureSql.validClicks} as clicks,
         ${measureSql.trainingInstalls} - ${measureSql.trainingRejectedInstalls} as installs
       from events
       where ${grainSql.day} >= {since:Date} and test = 0
       group by adset_id, bundle having clicks + installs > 0
       order by clicks desc limit {pairs:UInt32}
       settings max_threads = 1, max_bytes_before_external_group_by = ${GROUP_BYTES_MAX},
         max_bytes_ratio_before_external_group_by = 0)`,
    { since: new Date(sinceMs).toISOString().slice(0, 10), pairs: PAIRS_MAX },
  );
}
