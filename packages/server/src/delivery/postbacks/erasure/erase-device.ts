import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import type { Database } from '../../../platform/postgres/client.ts';
import { personKeyText } from '../../event-store/event-store.ts';
import { digestText } from '../../model/frequency.ts';
import { keysOfDevice } from '../../privacy/person-key.ts';
import type { Signer } from '../../trackers/signer.ts';
import { formsOfId, NOT_BESIDE_ID, rememberErasedBids } from './erased-ids.ts';
import { NIL } from 'uuid';
import { hash } from 'node:crypto';
import { localTable } from '../../../platform/clickhouse/cluster.ts';
import { define } from '../../../platform/clickhouse/migrate.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';

/** Numbers of rows that a step of an erasure removed. */
export interface RemovedOfDevice {
  /** Postbacks that were deleted, or whose parameters were. */
  postbacks: number;
  /** Events in the app, and their rejections. */
  events: number;
  /** Distinct clicks and views of the device. */
  clicks: number;
  /** Whether nothing of the device was found. */
  isComplete: boolean;
}

/** Dependencies of {@link removeDevice}. */
interface EraseDeps {
  db: Database;
  clickhouse: ClickHouse;
  signer: Pick<Signer, 'read' | 'readInstallToken'>;
  /** The secret of keys of people. */
  personSecret: string;
}

/** Postbacks that are removed at once. */
const POSTBACKS_AT_ONCE = 500;
/** How long a step waits for ClickHouse to carry it out; the next one waits on. */
const WAIT_MS = 20_000;
const ASK_EVERY_MS = 100;

/** Clicks of one device in {@link LATELY_MS} are fewer: each of them led to a postback. */
const CLICKS_MAX = 50;
const LATELY_MS = 35 * 86_400_000;

/**
 * Whether the latest postbacks of more than a limit of clicks contain a text, so that it is no id of one device, but a word, a
 * name or an app.
 */
export async function isShared(clickhouse: ClickHouse, id: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - LATELY_MS);
  return (await clicksWith(clickhouse, formsOfId(id), { since, limit: CLICKS_MAX + 1 })) > CLICKS_MAX;
}

/**
 * Removes a part of the stored data of a device: the parameters and the click of the postbacks that name its id and of all other postbacks
 * of the same clicks ({@link clicksOf}), and the in-app events of these clicks. The caller repeats it until it is complete; it is also
 * complete once the erasure was revoked. Impressions, clicks, installs and their costs name no device, and stay; the key of its person is
 * cleared in events and requests from before an instant, since an active person has new ones at any time.
 */
export async function removeDevice(
  deps: EraseDeps,
  erasureId: string,
  id: string,
  keysBefore: Date,
): Promise<RemovedOfDevice> {
  const { db, clickhouse } = deps;
  const nothing = { postbacks: 0, events: 0, clicks: 0 };
  if (!(await hasEnded(clickhouse))) return { ...nothing, isComplete: false };
  const hadKeys = [
    await erasePersonKeys(deps, id, keysBefore),
    await eraseFromSample(deps, id, keysBefore),
  ].includes(true);
  const found = await findPostbacks(clickhouse, formsOfId(id));
  if (found.length === 0) return { ...nothing, isComplete: !hadKeys };
  const clicks = clicksOf(deps, found);
  const clickIds = distinct(clicks.map(({ clickId }) => clickId));
  const bidIds = distinct(clicks.map(({ bidId }) => bidId));
  // Before the rows that tell the bids are gone.
  if (!(await rememberErasedBids(db, erasureId, bidIds))) return { ...nothing, isComplete: true };
  const erased = {
    companyIds: distinct(found.map(({ companyId }) => companyId)),
    parameters: distinct(found.map(({ parameters }) => parameters)),
    clickIds,
    bidIds,
    eventIds: distinct(found.map(({ eventId }) => eventId)).filter((eventId) => eventId !== NIL),
  };
  const counts = await countRows(clickhouse, erased);
  await eraseRows(clickhouse, erased);
  await hasEnded(clickhouse);
  return { ...counts, clicks: clickIds.length, isComplete: false };
}

/** Starts to clear the key of a device's person in the events from before an instant; false where none has it. */
async function erasePersonKeys(
  { clickhouse, personSecret }: EraseDeps,
  id: string,
  before: Date,
): Promise<boolean> {
  const keys = keysOfDevice(personSecret, id).map((key) => personKeyText(digestText(key)));
  const isOfPerson = `person_key in (${keys.join(', ')}) and ${isFromBefore(before)}`;
  const [row] = await clickhouse.query<{ count: number }>(
    `select count() as count from events where ${isOfPerson}`,
  );
  if (row!.count === 0) return false;
  await define(
    clickhouse,
    `alter table events update person_key = 0 where ${isOfPerson} settings mutations_sync = 0`,
  );
  return true;
}

/** Starts to delete the requests of a device's person from before an instant from the request sample; false where there are none. */
async function eraseFromSample(
  { clickhouse, personSecret }: EraseDeps,
  id: string,
  before: Date,
): Promise<boolean> {
  const keys = keysOfDevice(personSecret, id, 'sample').map((key) => personKeyText(digestText(key)));
  const isOfPerson = `person in (${keys.join(', ')}) and ${isFromBefore(before)}`;
  const [row] = await clickhouse.query<{ count: number }>(
    `select count() as count from request_sample where ${isOfPerson}`,
  );
  if (row!.count === 0) return false;
  await define(
    clickhouse,
    `alter table request_sample delete where ${isOfPerson} settings mutations_sync = 0`,
  );
  return true;
}

const isFromBefore = (before: Date) => `time < toDateTime64('${clickhouseTime(before.getTime())}', 3, 'UTC')`;

async function findPostbacks(clickhouse: ClickHouse, forms: readonly string[]): Promise<FoundPostback[]> {
  const found: FoundPostback[] = [];
  for (const month of await monthsOfPostbacks(clickhouse)) {
    const limit = POSTBACKS_AT_ONCE - found.length;
    if (limit === 0) break;
    found.push(...(await postbacksWith(clickhouse, forms, { month, limit })));
  }
  return found;
}

/**
 * The clicks that belong to the device of some postbacks: clicks that the postback's own company signed, in postbacks to the company's
 * secret address. Anyone may call the address in a link, so only a counted install is trusted there.
 */
function clicksOf({ signer }: EraseDeps, found: readonly FoundPostback[]) {
  return found.flatMap(({ companyId, clickId, outcome }) => {
    const ref =
      signer.read('click-id', clickId) ??
      (outcome === 'stored' ? signer.readInstallToken(clickId) : undefined);
    return ref?.companyId === companyId ? [{ clickId, bidId: ref.bidId }] : [];
  });
}

async function hasEnded(clickhouse: ClickHouse): Promise<boolean> {
  const untilMs = performance.now() + WAIT_MS;
  while (await isErasing(clickhouse)) {
    if (performance.now() > untilMs) return false;
    await wait(ASK_EVERY_MS);
  }
  return true;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}

/** A stored postback whose parameters have an id. */
interface FoundPostback {
  companyId: string;
  clickId: string;
  parameters: string;
  eventId: string;
  /** The outcome of the postback itself. */
  outcome: string;
}

/** The months of which postbacks are stored, as `YYYYMM`. */
async function monthsOfPostbacks(clickhouse: ClickHouse): Promise<number[]> {
  const rows = await clickhouse.query<{ month: number }>(
    'select distinct toYYYYMM(time) as month from postbacks order by month',
  );
  return rows.map(({ month }) => month);
}

/**
 * Postbacks of a month whose values contain one of some ids in lower case, as {@link idsIn} finds them; at most `limit`.
 */
async function postbacksWith(
  clickhouse: ClickHouse,
  ids: readonly string[],
  { month, limit }: { month: number; limit: number },
): Promise<readonly FoundPostback[]> {
  return clickhouse.query<FoundPostback>(
    `select distinct company_id as companyId, click_id as clickId, parameters, event_id as eventId, outcome from postbacks
     where toYYYYMM(time) = {month:UInt32} and ${HAS_ID}
     limit {limit:UInt32}`,
    { ...idParams(ids), month, limit },
    'JSON',
    QUIET,
  );
}

/** Number of different clicks whose postbacks since an instant contain one of some ids; counts at most `limit`. */
async function clicksWith(
  clickhouse: ClickHouse,
  ids: readonly string[],
  { since, limit }: { since: Date; limit: number },
): Promise<number> {
  const [row] = await clickhouse.query<{ count: number }>(
    `select count() as count from (
       select distinct click_id from postbacks
       where time >= {since:DateTime64(3, 'UTC')} and click_id != '' and ${HAS_ID}
       limit {limit:UInt32})`,
    { ...idParams(ids), since: clickhouseTime(since.getTime()), limit },
    'JSON',
    QUIET,
  );
  return row!.count;
}

/** A server's log of queries would keep the id. */
const QUIET = { log_queries: 0 } as const;

const idParams = (ids: readonly string[]) => ({
  texts: [...new Set([...ids, ...ids.map((id) => encodeURIComponent(id).toLowerCase())])],
  pattern: patternOf(ids),
});

/**
 * The first condition is fast, and true also of names, parts of ids and what JSON escapes. Parameters that were too long were stored
 * without their end, and are no JSON.
 */
const HAS_ID = `multiSearchAny(lower(parameters), {texts:Array(String)})
  and arrayExists(value -> match(lower(value), {pattern:String}) or match(lower(decodeURLComponent(value)), {pattern:String}),
    if(isValidJSON(parameters), JSONExtractKeysAndValues(parameters, 'String').2, [parameters]))`;

/** A pattern that matches the ids, unless they are part of a longer one. */
function patternOf(ids: readonly string[]): string {
  const choices = ids.map((id) => id.replaceAll('.', '\\.')).join('|');
  return `(^|${NOT_BESIDE_ID})(${choices})(${NOT_BESIDE_ID}|$)`;
}

/** The data to erase: postbacks by their parameters or click, and the in-app events of some bids. */
interface Erased {
  companyIds: readonly string[];
  parameters: readonly string[];
  clickIds: readonly string[];
  bidIds: readonly string[];
  /** Ids of in-app events of any bid. */
  eventIds: readonly string[];
}

/** Number of rows that {@link eraseRows} would change. */
async function countRows(
  clickhouse: ClickHouse,
  erased: Erased,
): Promise<{ postbacks: number; events: number }> {
  const count = async (table: string, where: string): Promise<number> => {
    const [row] = await clickhouse.query<{ count: number }>(
      `select count() as count from ${table} where ${where}`,
    );
    return row!.count;
  };
  return {
    postbacks: await count('postbacks', isPostback(erased)),
    events: await count('events', isAppEvent(erased)),
  };
}

/**
 * Starts to delete the events in the app and their postbacks, and to clear the parameters, reasons and click ids of the other postbacks, which
 * stay as counts.
 */
async function eraseRows(clickhouse: ClickHouse, erased: Erased): Promise<void> {
  const changes = [
    ...(hasEvents(erased) ? [`alter table events delete where ${isAppEvent(erased)}`] : []),
    `alter table postbacks delete where ${isPostback(erased)} and event_outcome != ''`,
    `alter table postbacks update parameters = '{}', partner_reason = '', click_id = if(click_id = '', '', 'erased') where ${isPostback(erased)}`,
  ];
  for (const change of changes) await define(clickhouse, `${change} settings mutations_sync = 0`);
}

/** Whether rows of these tables are still being changed, on any server. */
async function isErasing(clickhouse: ClickHouse): Promise<boolean> {
  const { cluster } = clickhouse;
  const from = cluster ? `clusterAllReplicas('${cluster.name}', 'system', 'mutations')` : 'system.mutations';
  const database = cluster ? `'${cluster.database}'` : 'currentDatabase()';
  const tables = ['postbacks', 'events', 'request_sample']
    .map((table) => `'${localTable(cluster, table)}'`)
    .join(', ');
  const [row] = await clickhouse.query<{ count: number }>(
    `select count() as count from ${from} where database = ${database} and table in (${tables}) and not is_done`,
  );
  return row!.count > 0;
}

/** Texts come from outside, so statements have only their hashes, which also keep them out of the list of changes. */
function isPostback({ companyIds, parameters, clickIds }: Erased): string {
  const conditions = [
    ...(parameters.length > 0 ? [`hex(SHA256(parameters)) in (${hashes(parameters)})`] : []),
    ...(clickIds.length > 0 ? [`hex(SHA256(click_id)) in (${hashes(clickIds)})`] : []),
  ];
  return `company_id in (${quoted(companyIds)}) and (${conditions.join(' or ')})`;
}

const hasEvents = ({ bidIds, eventIds }: Erased) => bidIds.length + eventIds.length > 0;

function isAppEvent(erased: Erased): string {
  const { companyIds, bidIds, eventIds } = erased;
  if (!hasEvents(erased)) return 'false';
  const conditions = [
    ...(bidIds.length > 0 ? [`click_bid_id in (${quoted(bidIds)})`] : []),
    ...(eventIds.length > 0 ? [`bid_id in (${quoted(eventIds)})`] : []),
  ];
  return `company_id in (${quoted(companyIds)}) and kind in ('app_event', 'app_event_rejected', 'reengaged_event', 'reengaged_event_rejected') and (${conditions.join(' or ')})`;
}

const hashes = (texts: readonly string[]) =>
  texts.map((text) => `'${hash('sha256', text).toUpperCase()}'`).join(', ');
/** A list of UUIDs in SQL. */
const quoted = (ids: readonly string[]) => ids.map((id) => `'${id}'`).join(', ');
