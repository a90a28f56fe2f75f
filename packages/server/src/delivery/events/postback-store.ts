import type { Mmp } from '@bidwell/contract/app';
import type { PostbackOutcome, PostbackReason } from '@bidwell/contract/postback';
import { truncate } from '@bidwell/contract/truncate';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { InstallCounts } from '../learning/install-rates.ts';

/** A postback as it came, and what became of it. */
export interface PostbackRow {
  /** Unique for each postback: one that is stored again is known by it. */
  id: string;
  atMs: number;
  companyId: string;
  mmp: Mmp;
  outcome: PostbackOutcome;
  reason: PostbackReason;
  clickId: string;
  /** JSON. */
  parameters: string;
}

const CLICK_ID_CHARS_MAX = 1000;
const PARAMETERS_CHARS_MAX = 8192;

/** Stores decided postbacks, in one insert. Crosses companies: a batch does. */
export async function storePostbacks(clickhouse: ClickHouse, rows: readonly PostbackRow[]): Promise<void> {
  if (rows.length === 0) return;
  await clickhouse.insert(
    'postbacks',
    rows.map(({ id, atMs, companyId, mmp, outcome, reason, clickId, parameters }) => ({
      id,
      time: clickhouseTime(atMs),
      company_id: companyId,
      mmp,
      outcome,
      reason,
      click_id: truncate(clickId, CLICK_ID_CHARS_MAX),
      parameters: truncate(parameters, PARAMETERS_CHARS_MAX),
    })),
  );
}

/** Which of these postbacks are stored already. Crosses companies, as {@link storePostbacks}. */
export async function storedPostbackIds(
  clickhouse: ClickHouse,
  rows: readonly Pick<PostbackRow, 'id' | 'companyId' | 'atMs'>[],
): Promise<ReadonlySet<string>> {
  const found = await clickhouse.query<{ id: string }>(
    `select id from postbacks
     where company_id in {companies:Array(UUID)} and time >= {since:DateTime64(3, 'UTC')} and id in {ids:Array(UUID)}`,
    {
      companies: [...new Set(rows.map(({ companyId }) => companyId))],
      since: clickhouseTime(Math.min(...rows.map(({ atMs }) => atMs))),
      ids: rows.map(({ id }) => id),
    },
  );
  return new Set(found.map(({ id }) => id));
}

/** Of these click ids, the ones whose install a stored postback counted since an instant. */
export async function countedClickIds(
  clickhouse: ClickHouse,
  rows: readonly Pick<PostbackRow, 'companyId' | 'clickId' | 'atMs'>[],
): Promise<ReadonlySet<string>> {
  const found = await clickhouse.query<{ clickId: string }>(
    `select click_id as clickId from postbacks
     where company_id in {companies:Array(UUID)} and outcome = 'stored' and click_id in {clicks:Array(String)}`,
    {
      companies: [...new Set(rows.map(({ companyId }) => companyId))],
      clicks: rows.map(({ clickId }) => truncate(clickId, CLICK_ID_CHARS_MAX)),
    },
  );
  return new Set(found.map(({ clickId }) => clickId));
}

/** The most that is read at a start: the pairs that most was clicked in. */
const PAIRS_MAX = 100_000;

/** What the groups of a start's query may take of memory; the rest of them go to the disk meanwhile. */
const GROUP_BYTES_MAX = 64 * 1024 ** 2;

/**
 * Clicks of people, and installs that were learned from, since the day of an instant. Crosses companies: it judges them all.
 * Reads the aggregate `daily_history`.
 */
export async function installCountsSince(
  clickhouse: ClickHouse,
  sinceMs: number,
): Promise<readonly InstallCounts[]> {
  return clickhouse.query<InstallCounts>(
    `select * from (
       select adset_id as adsetId, bundle, countIf(kind = 'click' and mark = '') as clicks,
         countIf(kind = 'install' and mark = '' and untrained = '')
           - countIf(kind = 'install_rejected' and mark = '' and untrained = '') as installs
       from events
       where toDate(time) >= {since:Date} and test = 0
       group by adset_id, bundle having clicks + installs > 0
       order by clicks desc limit {pairs:UInt32}
       settings max_threads = 1, max_bytes_before_external_group_by = ${GROUP_BYTES_MAX},
         max_bytes_ratio_before_external_group_by = 0)`,
    { since: new Date(sinceMs).toISOString().slice(0, 10), pairs: PAIRS_MAX },
  );
}
