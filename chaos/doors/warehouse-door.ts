import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WarehouseKind, WarehouseManifest } from '@bidwell/contract/warehouse/schema';
import { clickhouseTime } from '@bidwell/server/platform/clickhouse/time';
import type { S3Server } from '@bidwell/testing/engines/s3-server';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { S3mini } from 's3mini';
import { type Door, type DoorCompany, type DoorDifferences, type DoorSetup, done } from './door.ts';

const ROWS_OF_KIND = 12;
const HOUR_MS = 3_600_000;
/** Hours back in which events happened that are stored now. */
const AGE_HOURS = 3;

/** The kinds of events by the kind of file that has them, without bids, which are in a table of their own. */
const EVENTS_OF: Readonly<Record<Exclude<WarehouseKind, 'bids'>, readonly SampleEvent['kind'][]>> = {
  wins: ['win'],
  losses: ['loss'],
  billings: ['billing'],
  impressions: ['impression'],
  clicks: ['click'],
  installs: ['install', 'install_rejected'],
  app_events: ['app_event', 'app_event_rejected'],
  returns: ['reattribution', 'reattribution_rejected', 'reinstall', 'reinstall_rejected'],
  re_engagement_events: ['reengaged_event', 'reengaged_event_rejected'],
};

/** Kinds of files whose rows have an id of their own in place of the bid's. */
const IN_APP: readonly WarehouseKind[] = ['app_events', 're_engagement_events'];

/** A company whose events leave, with an ad set of them. */
interface ExportedCompany {
  company: DoorCompany;
  kinds: readonly WarehouseKind[];
  adsetUuid: string;
}

/** Hourly files in a bucket. `folder` is for files that are read back. */
export async function openWarehouseDoor(
  { clock, clickhouse, random }: DoorSetup,
  exported: readonly ExportedCompany[],
  s3: S3Server,
  { endpoint, folder }: { endpoint: string; folder: string },
): Promise<Door> {
  const { settings } = s3;
  const bucket = new S3mini({ ...settings, endpoint: `${settings.endpoint}/${settings.bucket}` });
  for (const {
    company: { companyId, call },
    kinds,
  } of exported) {
    const destination = await done(
      call('POST', '/report-destinations', {
        type: 's3',
        name: 'Bucket',
        url: endpoint,
        region: settings.region,
        bucket: settings.bucket,
        prefix: companyId,
        access_key_id: settings.accessKeyId,
        secret_access_key: settings.secretAccessKey,
      }),
    );
    await done(
      call('PUT', '/warehouse-export', {
        destination_uuid: (destination as { uuid: string }).uuid,
        kinds,
      }),
    );
  }
  const anyTime = (now: Date) => new Date(now.getTime() - random() * AGE_HOURS * HOUR_MS);
  /** Stored in the last minutes, and at both sides of a full hour in them. */
  const storedTimes = (now: Date) => {
    const hourMs = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
    const minuteAgo = new Date(now.getTime() - 60_000);
    return now.getTime() - hourMs < 60_000 ? [now, new Date(hourMs), new Date(hourMs - 1)] : [now, minuteAgo];
  };
  const readBack = async (companyId: string) => {
    const objects = (await bucket.listObjects('/', companyId)) ?? [];
    const names = objects.map(({ Key }) => Key);
    const manifests: WarehouseManifest[] = [];
    for (const name of names.filter((key) => key.includes('/_manifests/')))
      manifests.push(JSON.parse((await bucket.getObject(name))!) as WarehouseManifest);
    return { manifests, files: names.filter((key) => key.endsWith('.parquet')) };
  };
  const rowsOf = async (file: WarehouseManifest['files'][number]) => {
    const content = Buffer.from((await bucket.getObjectArrayBuffer(file.name))!);
    if (createHash('sha256').update(content).digest('hex') !== file.sha256)
      throw new Error(`${file.name} is not what its manifest says.`);
    const path = join(folder, `${randomUUID()}.parquet`);
    await writeFile(path, content);
    return clickhouse.query<Record<string, unknown>>(`select * from file('${path}', Parquet)`);
  };
  return {
    name: 'warehouse',
    async addStored() {
      const now = clock.now();
      for (const {
        company: { companyId },
        adsetUuid: adsetId,
      } of exported)
        for (const storedAt of storedTimes(now)) {
          const events = Object.values(EVENTS_OF).flatMap((kinds) =>
            Array.from({ length: ROWS_OF_KIND }, (_, index): SampleEvent => {
              const kind = kinds[index % kinds.length]!;
              const isCharged = kind === 'win' || kind === 'billing' || kind === 'impression';
              const spendMicros = isCharged ? Math.floor(random() * 5000) : 0;
              const app = /^(app|reengaged)_event/.test(kind) ? { app: { revenueMicros: 1_990_000 } } : {};
              return { kind, at: anyTime(now).toISOString(), adsetId, spendMicros, ...app };
            }),
          );
          await storeEvents({ clickhouse }, companyId, events, storedAt);
          const bids = Array.from({ length: ROWS_OF_KIND }, () => ({
            time: clickhouseTime(anyTime(now).getTime()),
            bid_id: randomUUID(),
            company_id: companyId,
            adset_id: adsetId,
            weight: 10,
            has_stored_at: 1,
            stored_at: clickhouseTime(storedAt.getTime()),
          }));
          await clickhouse.insert('bid_sample', bids);
        }
    },
    async unfinished() {
      const left: string[] = [];
      for (const {
        company: { call },
      } of exported) {
        const { runs } = await done(call('GET', '/warehouse-export/runs'));
        for (const { kind, status, error } of runs as Record<string, string>[])
          if (status !== 'stored') left.push(`${kind} of an hour are ${status}: ${error ?? ''}`);
        const { export: planned } = await done(call('GET', '/warehouse-export'));
        const lastMs = await lastStoredMs(clickhouse);
        if (Date.parse((planned as { planned_until: string }).planned_until) <= lastMs)
          left.push('the hours of the last events are not planned');
      }
      return left;
    },
    async compare() {
      const found: Required<DoorDifferences> = { entries: 0, lost: [], doubled: [], notes: [] };
      let stored = 0;
      for (const {
        company: { companyId },
        kinds: exportedKinds,
      } of exported) {
        const { manifests, files } = await readBack(companyId);
        const named = new Set(manifests.flatMap((manifest) => manifest.files.map(({ name }) => name)));
        stored += named.size;
        for (const name of files) if (!named.has(name)) found.doubled.push(`${name} is in no manifest`);
        for (const kind of exportedKinds) {
          const own = manifests
            .filter((manifest) => manifest.kind === kind)
            .toSorted((a, b) => a.stored_from.localeCompare(b.stored_from));
          for (const [index, manifest] of own.entries())
            if (index > 0 && own[index - 1]!.stored_before !== manifest.stored_from)
              found.lost.push(`${kind} have no manifest before ${manifest.stored_from}`);
          const theirs = new Map<string, number>();
          for (const file of own.flatMap((manifest) => manifest.files)) {
            const rows = await rowsOf(file);
            if (rows.length !== file.rows) found.lost.push(`${file.name} has ${rows.length} rows`);
            for (const row of rows) {
              const key = keyOf(row[IN_APP.includes(kind) ? 'event_id' : 'bid_id'], row);
              theirs.set(key, (theirs.get(key) ?? 0) + 1);
            }
          }
          const ours = new Set(await ourRows(clickhouse, { companyId, kind }));
          found.entries += ours.size;
          for (const key of ours) if (!theirs.has(key)) found.lost.push(`${kind} ${key}`);
          for (const [key, times] of theirs)
            if (times > 1 || !ours.has(key)) found.doubled.push(`${kind} ${key}: ${times} times`);
        }
        found.notes.push(`${manifests.length} manifests`);
      }
      return { ...found, notes: [...found.notes, `${stored} files`] };
    },
  };
}

const keyOf = (id: unknown, { spend_micros: spend, stored_at: at }: Record<string, unknown>) =>
  `${String(id)} ${Number(spend ?? 0)} ${String(at)}`;

async function lastStoredMs(clickhouse: DoorSetup['clickhouse']): Promise<number> {
  const [row] = await clickhouse.query<{ ms: number }>(
    'select toUnixTimestamp64Milli(max(stored_at)) as ms from events',
  );
  return row!.ms;
}

/** The rows of a kind in ClickHouse, with what a file has to say of each. */
async function ourRows(
  clickhouse: DoorSetup['clickhouse'],
  { companyId, kind }: { companyId: string; kind: WarehouseKind },
): Promise<string[]> {
  const isCharged = kind === 'wins' || kind === 'billings' || kind === 'impressions';
  const rows = await clickhouse.query<Record<string, unknown> & { bid_id: string }>(
    `select toString(bid_id) as bid_id, ${isCharged ? 'spend_micros' : '0'} as spend_micros, stored_at
     from ${kind === 'bids' ? 'bid_sample' : 'events'}
     where company_id = {company:UUID} ${kind === 'bids' ? '' : 'and has({kinds:Array(String)}, kind)'}`,
    { company: companyId, kinds: kind === 'bids' ? [] : EVENTS_OF[kind] },
  );
  return rows.map((row) => keyOf(row.bid_id, row));
}
