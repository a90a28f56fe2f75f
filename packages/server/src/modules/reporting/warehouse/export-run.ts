import { createHash } from 'node:crypto';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { warehouseMessages } from '@bidwell/contract/warehouse/messages';
import { WAREHOUSE_SCHEMA_VERSION, type WarehouseManifest } from '@bidwell/contract/warehouse/schema';
import pLimit, { type LimitFunction } from 'p-limit';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { QueryTooLarge, settingsText } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import {
  type MessageKind,
  type Outcome,
  type Sending,
  doubling,
  notify,
  queueMessage,
} from '../../messaging/public.ts';
import { exportSettings } from '../report-limits.ts';
import { storeInBucket } from '../schedules/destinations/deliver.ts';
import { type DestinationRow, findDestinationRows } from '../schedules/destinations/destination-store.ts';
import { warehouseTables } from './tables.ts';
import {
  type WarehouseRunRow,
  beginWarehouseRun,
  deleteWarehouseRunsBefore,
  findExportRow,
  insertWarehouseRun,
  lockDueExports,
  setPlannedUntil,
  updateWarehouseRun,
} from './warehouse-store.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';

const HOUR_MS = 3_600_000;
/** An insert is in the table within this time after it took its time of storage, also on late replicas. */
const SETTLED_MS = 10 * 60_000;
/** Exports of one call, and hours of an export: after a time without a server the rest follows in the next calls. */
const EXPORTS_MAX = 100;
const HOURS_MAX = 24;
/** Events are stored at most this long after they arrived; older ones of the company are not read. */
const LATE_DAYS = 40;
/** Runs of an export that may wait: a bucket that is away for a day, or an export that was off, does not fill the table. */
const WAITING_MAX = 200;
/** Retention of stored runs in the log, in days. */
const RUN_DAYS = 90;
/** Runs that are read at once: embedded, queries take the processor of bids. */
const READ_AT_ONCE = { embedded: 1, service: 4 };
/** Rows of a file: a few dozen megabytes, which are in memory until they are stored. */
const ROWS_OF_FILE = 250_000;
const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** On a cluster, replicas that are later than {@link SETTLED_MS} would leave rows out. */
const CLUSTER_SETTINGS = {
  max_replica_delay_for_distributed_queries: 300,
  fallback_to_stale_replicas_for_distributed_queries: 0,
};

const WAREHOUSE = { name: 'warehouse', lane: 'bulk' } as const;

/** The latest instant up to which events can be exported: the start of an hour. Pure. */
export function exportableUntil(now: Date): Date {
  return new Date(Math.floor((now.getTime() - SETTLED_MS) / HOUR_MS) * HOUR_MS);
}

/**
 * Plans the runs of the hours that are over, and moves each export on in the same transaction, so that an hour has one run of each kind
 * however many servers do so, and none is left out.
 */
export async function planWarehouseRuns(ctx: Context): Promise<void> {
  const until = exportableUntil(ctx.now());
  await transact(ctx.db, async (tx) => {
    for (const due of await lockDueExports(tx.db, {
      before: until,
      limit: EXPORTS_MAX,
      waitingMax: WAITING_MAX,
    })) {
      let at = due.planned_until;
      for (let hours = 0; at < until && hours < HOURS_MAX; hours += 1) {
        const storedBefore = new Date(Math.floor(at.getTime() / HOUR_MS + 1) * HOUR_MS);
        for (const kind of due.kinds) {
          const uuid = uuidv7();
          const run = { uuid, kind, storedFrom: at, storedBefore };
          if (await insertWarehouseRun(tx.db, due.company_uuid, run))
            await queueWarehouseRun(ctx, tx, due.company_uuid, uuid);
        }
        at = storedBefore;
      }
      await setPlannedUntil(tx.db, due.company_uuid, at);
    }
  });
}

/**
 * Queues a run in a transaction. The runs of a company leave one at a time, and have a host of their own: a bucket that is slow or silent
 * delays no other message of the company.
 */
export async function queueWarehouseRun(
  ctx: Context,
  tx: Tx,
  companyId: string,
  uuid: string,
): Promise<void> {
  const bucket = `${WAREHOUSE.name} ${companyId}`;
  await queueMessage(ctx, tx, WAREHOUSE, { about: uuid, companyId, queue: bucket, host: bucket });
}

/** Deletes runs from the log ninety days after their hour. */
export async function deleteOldWarehouseRuns(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, RUN_DAYS, deleteWarehouseRunsBefore);
}

/**
 * Runs of exports as messages. A try stores all files of a run and then its manifest, under names that are the same in each try: what a try
 * that was broken off has stored is replaced by the same. Tried for half a day in all, 8 to 16 hours by chance.
 */
export function warehouseRuns({ config }: Pick<Context, 'config'>): MessageKind {
  const reading = pLimit(READ_AT_ONCE[config.clickhouseUrl ? 'service' : 'embedded']);
  return {
    ...WAREHOUSE,
    retries: doubling({ firstMs: 60_000, maxMs: 4 * HOUR_MS, tries: 12 }),
    async send(ctx, { about, companyId, attempts }, sending) {
      const run =
        companyId === null ? undefined : await beginWarehouseRun(ctx.db, companyId, about, attempts);
      if (!run) return { result: 'dropped' };
      const result = await tryRun(ctx, run, { ...sending, reading });
      return outcomeOf(ctx, run, result, sending.stopping.aborted);
    },
    async giveUp(ctx, tx, { about, companyId }) {
      if (companyId === null) return;
      const failed = { status: 'failed', error: warehouseMessages.notMade, finished_at: ctx.now() } as const;
      await updateWarehouseRun(tx.db, companyId, about, failed);
    },
  };
}

type Result = { files: WarehouseManifest['files'] } | { error: string; isFinal: boolean };

interface Trying extends Sending {
  /** Bounds how many runs are read at once. */
  reading: LimitFunction;
}

function outcomeOf(ctx: Context, run: WarehouseRunRow, result: Result, isStopping: boolean): Outcome {
  const { uuid, company_uuid: companyId, attempts } = run;
  const now = ctx.now();
  const store = async ({ db }: Tx, values: Parameters<typeof updateWarehouseRun>[3]) =>
    updateWarehouseRun(db, companyId, uuid, values);
  if ('files' in result)
    return {
      result: 'sent',
      settle: async (tx) =>
        store(tx, { status: 'stored', files: result.files, error: null, finished_at: now }),
    };
  const { error, isFinal } = result;
  if (isStopping && !isFinal)
    return {
      result: 'postponed',
      until: now,
      settle: async (tx) => store(tx, { attempts: attempts - 1 }),
    };
  return {
    result: 'failed',
    reason: 'its files were not stored',
    isFinal,
    async settle(tx, nextAt) {
      if (nextAt) return store(tx, { error });
      await store(tx, { status: 'failed', error, finished_at: now });
      await notify(ctx, tx, companyId, {
        kind: 'report_schedule',
        ...notificationMessages.warehouseNotStored(run.kind, { hour: run.stored_from, reason: error }),
        entity: { type: 'warehouse_export', uuid: companyId },
      });
    },
  };
}

/** The try is broken off, as the process stops. */
const STOPPED = { error: '', isFinal: false } as const;

async function tryRun(ctx: Context, run: WarehouseRunRow, trying: Trying): Promise<Result> {
  const exported = await findExportRow(ctx.db, run.company_uuid);
  const ids = exported ? [exported.destination_uuid] : [];
  const [destination] = await findDestinationRows(ctx.db, run.company_uuid, ids);
  if (!destination) return { error: warehouseMessages.destinationLost, isFinal: true };
  try {
    return await storeRun(ctx, run, { ...trying, destination });
  } catch (error) {
    if (trying.stopping.aborted) return STOPPED;
    if (error instanceof QueryTooLarge) return { error: warehouseMessages.tooLarge, isFinal: false };
    ctx.log.error({ err: error, run: run.uuid }, 'files of an export were not made');
    return { error: warehouseMessages.notMade, isFinal: false };
  }
}

/** Stores the files of a run one after the other, and then the manifest. */
async function storeRun(
  ctx: Context,
  run: WarehouseRunRow,
  { reading, stopping, cutOff, destination }: Trying & { destination: DestinationRow },
): Promise<Result> {
  const put = async (path: string, content: Buffer, contentType: string) =>
    storeInBucket(ctx, destination, { path, content, contentType }, cutOff);
  const failed = ({ error, isFinal }: Awaited<ReturnType<typeof put>>): Result =>
    cutOff.aborted ? STOPPED : { error: warehouseMessages.notStored(destination.name, error ?? ''), isFinal };
  const files: WarehouseManifest['files'] = [];
  for (const part of await reading(async () => partsOf(ctx, run))) {
    if (stopping.aborted) return STOPPED;
    const content = await reading(async () => contentOf(ctx, run, part));
    const path = pathOf(run, part);
    const stored = await put(path, content, 'application/vnd.apache.parquet');
    if (!stored.isDelivered) return failed(stored);
    files.push({
      name: `${destination.prefix ?? ''}${path}`,
      hour: new Date(part.hourMs).toISOString(),
      rows: part.rows,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  }
  const manifest: WarehouseManifest = {
    schema_version: WAREHOUSE_SCHEMA_VERSION,
    kind: run.kind,
    stored_from: run.stored_from.toISOString(),
    stored_before: run.stored_before.toISOString(),
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    files,
  };
  const path = `${folderOf(run)}/_manifests/${nameOf(run.stored_from)}.json`;
  const stored = await put(path, Buffer.from(JSON.stringify(manifest)), 'application/json');
  return stored.isDelivered ? { files } : failed(stored);
}

/** One file: the rows of an hour, or one of several equal parts of them by the hash of the bid. */
interface FilePart {
  hourMs: number;
  part: number;
  parts: number;
  rows: number;
}

/** The files of a run, by the hour in which their events happened. */
async function partsOf(ctx: Context, run: WarehouseRunRow): Promise<FilePart[]> {
  const hours = await ctx.clickhouse.query<{ hourMs: number; rows: number }>(
    `select toUnixTimestamp(toStartOfHour(time)) * 1000 as hourMs, count() as rows from ${rowsSql(run)}
     group by hourMs order by hourMs`,
    paramsOf(run),
    'JSON',
    settingsOf(ctx),
  );
  const files: FilePart[] = [];
  for (const { hourMs, rows } of hours) {
    const parts = Math.ceil(rows / ROWS_OF_FILE);
    if (parts === 1) files.push({ hourMs, part: 0, parts, rows });
    else files.push(...(await equalParts(ctx, run, hourMs, parts)));
  }
  return files;
}

/** The parts of an hour that has too many rows for one file. */
async function equalParts(
  ctx: Context,
  run: WarehouseRunRow,
  hourMs: number,
  parts: number,
): Promise<FilePart[]> {
  const counted = await ctx.clickhouse.query<{ part: number; rows: number }>(
    `select ${PART} as part, count() as rows from ${rowsSql(run)} and ${IN_HOUR} group by part order by part`,
    { ...paramsOf(run), ...hourParams({ hourMs, parts }) },
    'JSON',
    settingsOf(ctx),
  );
  return counted.map(({ part, rows }) => ({ hourMs, part, parts, rows }));
}

/** The file in memory. Throws QueryTooLarge. */
async function contentOf(ctx: Context, run: WarehouseRunRow, file: FilePart): Promise<Buffer> {
  const columns = warehouseTables[run.kind].columns.map(([name, sql]) => `${sql} as column_${name}`);
  const titles = warehouseTables[run.kind].columns.map(([name]) => `column_${name} as ${name}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stream = ctx.clickhouse.stream(
    `select ${titles.join(', ')} from (
       select ${columns.join(', ')} from ${rowsSql(run)} and ${IN_HOUR}${file.parts > 1 ? ` and ${PART} = {part:UInt32}` : ''}
     ) order by column_time, column_bid_id ${settingsText(settingsOf(ctx))}`,
    { ...paramsOf(run), ...hourParams(file), part: file.part },
    'Parquet',
  );
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > FILE_BYTES_MAX) throw new QueryTooLarge('a file of an export is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const PART = 'toUInt32(cityHash64(bid_id) % {parts:UInt32})';
const IN_HOUR = `time >= {hour:DateTime64(3, 'UTC')} and time < {hour_end:DateTime64(3, 'UTC')}`;

const hourParams = ({ hourMs, parts }: Pick<FilePart, 'hourMs' | 'parts'>) => ({
  hour: clickhouseTime(hourMs),
  hour_end: clickhouseTime(hourMs + HOUR_MS),
  parts,
});

function rowsSql({ kind }: WarehouseRunRow): string {
  const { from, where } = warehouseTables[kind];
  return `${from} where company_id = {company:UUID} and ${where}
    and time >= {from:DateTime64(3, 'UTC')} - toIntervalDay(${LATE_DAYS})
    and stored_at >= {from:DateTime64(3, 'UTC')} and stored_at < {before:DateTime64(3, 'UTC')}`;
}

const paramsOf = ({ company_uuid, stored_from, stored_before }: WarehouseRunRow) => ({
  company: company_uuid,
  from: clickhouseTime(stored_from.getTime()),
  before: clickhouseTime(stored_before.getTime()),
});

const settingsOf = ({ config, clickhouse }: Context) => ({
  ...exportSettings(config),
  ...(clickhouse.cluster && CLUSTER_SETTINGS),
});

/** With the company, as several may share a bucket. */
const folderOf = ({ kind, company_uuid }: WarehouseRunRow): string =>
  `warehouse/v${WAREHOUSE_SCHEMA_VERSION}/${company_uuid}/${kind}`;

/** `20261129T100000Z`. */
const nameOf = (at: Date): string => at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');

/** The name of a file behind the prefix of the bucket, partitioned as Hive does, by the hour in which its events happened. */
function pathOf(run: WarehouseRunRow, { hourMs, part }: FilePart): string {
  const [date, time] = new Date(hourMs).toISOString().split('T') as [string, string];
  return `${folderOf(run)}/dt=${date}/hour=${time.slice(0, 2)}/${nameOf(run.stored_from)}-${part}.parquet`;
}
