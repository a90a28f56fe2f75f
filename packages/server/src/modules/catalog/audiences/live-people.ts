import type { AudienceRule } from '@bidwell/contract/audiences/schema';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';

/** Parameters in which partners send advertising ids. */
const ID_PARAMETERS = [
  'gaid',
  'idfa',
  'advertising_id',
  'gps_adid',
  'google_aid',
  'ios_ifa',
  'aifa',
  'aaid',
  'user_data.aaid',
  'user_data.idfa',
  'device_id',
];

/** The advertising id of a postback in lower case; '' without one. */
const ID = `lower(arrayFirst(id -> match(id, '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$') and match(id, '[1-9a-fA-F]'),
  [${ID_PARAMETERS.map((name) => `JSONExtractString(parameters, '${name}')`).join(', ')}]))`;

/** The digest of an id as audiences have it: the first 64 bits of its SHA-256. */
const DIGEST = 'reinterpretAsUInt64(reverse(substring(SHA256(id), 1, 8)))';

/** Postbacks of people who have the app: not of installs that were rejected, or that no check confirmed. */
const OF_PEOPLE = `test = 0 and outcome in ('stored', 'duplicate', 'no_touchpoint', 'retargeting', 'event')`;

interface Question {
  companyId: string;
  /** The campaigns of the app. */
  campaignIds: readonly string[];
  rule: AudienceRule;
  now: Date;
  /** Postbacks before it are left out; null for all that are stored. */
  since: Date | null;
}

const DAY_MS = 86_400_000;

/** The condition of a group of one person's postbacks, and how many days back they are read; null for all. */
function conditionOf(rule: AudienceRule): { having: string; days: number | null } {
  switch (rule.type) {
    case 'installed':
      return rule.days === null
        ? { having: 'true', days: null }
        : {
            having: `countIf(event_id = toUUID('00000000-0000-0000-0000-000000000000')) > 0`,
            days: rule.days,
          };
    case 'paid':
      return { having: `countIf(event_outcome = 'stored' and revenue_micros > 0) > 0`, days: rule.days };
    case 'inactive':
      return { having: "max(time) < {active:DateTime64(3, 'UTC')}", days: null };
    case 'event':
      return {
        having: `countIf(event_name = {event:String}) > 0${rule.without === null ? '' : ' and countIf(event_name = {without:String}) = 0'}`,
        days: rule.days,
      };
  }
}

/**
 * Writes the digests of the people of a rule to a file, 8 bytes each: people of postbacks that name a click of the company, since others have
 * not allowed the use of their id. Within the retention of postbacks.
 */
export async function writeLivePeople(
  clickhouse: ClickHouse,
  path: string,
  { companyId, campaignIds, rule, now, since }: Question,
  signal: AbortSignal,
): Promise<void> {
  const { having, days } = conditionOf(rule);
  const from = days === null ? since : new Date(now.getTime() - days * DAY_MS);
  const stream = clickhouse.stream(
    `select ${DIGEST} as digest from (
       select ${ID} as id, time, event_id, event_outcome, event_name, revenue_micros from postbacks
       where company_id = {company:UUID} and campaign_id in {campaigns:Array(UUID)} and ${OF_PEOPLE}
         and time >= {from:DateTime64(3, 'UTC')})
     where id != '' group by id having ${having}`,
    {
      company: companyId,
      campaigns: campaignIds,
      from: clickhouseTime(from?.getTime() ?? 0),
      ...(rule.type === 'inactive' && { active: clickhouseTime(now.getTime() - rule.days * DAY_MS) }),
      ...(rule.type === 'event' && { event: rule.event, without: rule.without ?? '' }),
    },
    'RowBinary',
  );
  await pipeline(Readable.from(stream), createWriteStream(path, { mode: 0o600 }), { signal });
}

/** The campaigns of all companies with a counted install since an instant whose device has an id. */
export async function campaignsWithInstalls(clickhouse: ClickHouse, since: Date): Promise<string[]> {
  const rows = await clickhouse.query<{ id: string }>(
    `select distinct campaign_id as id from postbacks
     where time >= {since:DateTime64(3, 'UTC')} and test = 0 and outcome = 'stored' and ${ID} != ''`,
    { since: clickhouseTime(since.getTime()) },
  );
  return rows.map(({ id }) => id);
}
