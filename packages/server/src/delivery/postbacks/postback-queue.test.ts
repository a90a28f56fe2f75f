import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testApp } from '@bidwell/testing/test-app';
import { expect, onTestFinished, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { SEGMENT_HEAD, frame } from '../event-log/segment-format.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import { InstallRates } from '../learning/install-rates.ts';
import type { BidRef } from '../model/event.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { createSigner } from '../trackers/signer.ts';
import { openPostbackQueue } from './postback-queue.ts';
import type { LoggedPostback } from './received-postback.ts';

const app = await testApp();
const signer = createSigner('a signing secret of the postback queue', 'http://bidwell.test');

/** A data folder, and a tracker of which one bid was clicked a minute ago. */
async function freshTracker() {
  const { companyId } = await app.freshCompany();
  const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-postbacks-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const ref = sampleRef({ companyId });
  const click = { bidId: ref.bidId, kind: 'click', mark: '', untrained: '' } as const;
  const events: StoredEvent[] = [{ ...click, atMs: Date.now() - 60_000 }];
  const open = async () =>
    openPostbackQueue({
      ...app.ctx,
      dataDir,
      signer,
      rates: new InstallRates(),
      now: () => new Date(),
      ready: Promise.resolve(),
      otherTrackers: null,
      decided: () => {},
      storedEvents: { find: async () => new Map([[ref.bidId, [...events]]]) },
      ingest: {
        async record({ kind, atMs }) {
          events.push({ ...click, kind, atMs });
          return 'stored';
        },
      },
    });
  return { ref, folder: join(dataDir, 'postback-log'), events, open };
}

function postbackOf(ref: BidRef, parameters: Record<string, string>): LoggedPostback {
  return {
    v: 1,
    id: uuidv7(),
    atMs: Date.now(),
    companyId: ref.companyId,
    mmp: 'appsflyer',
    parameters: { clickid: signer.clickIdFor(ref), ...parameters },
    installToken: '',
    ip: '203.0.113.7',
    clickInAddress: false,
    authorization: '',
  };
}

/** Writes a segment, as a process that was killed left it. */
async function leave(folder: string, postbacks: readonly LoggedPostback[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${uuidv7()}.wal`);
  const frames = postbacks.map((postback) => frame(Buffer.from(JSON.stringify(postback))));
  await writeFile(path, Buffer.concat([SEGMENT_HEAD, ...frames]));
  return path;
}

const outcomesOf = async ({ companyId }: BidRef) => {
  const rows = await app.ctx.clickhouse.query<{ outcome: string }>(
    'select outcome from postbacks where company_id = {company:UUID} order by outcome',
    { company: companyId },
  );
  return rows.map(({ outcome }) => outcome);
};

const segmentsIn = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.wal'));

test('postbacks that release 0.2.0 left in its three logs are decided, each once', async () => {
  const { ref, folder, open } = await freshTracker();
  const twice = postbackOf(ref, { event_name: 'install' });
  await leave(folder, [twice]);
  await leave(join(folder, 'many'), [postbackOf(ref, { event_name: 'install', is_rejected: 'true' })]);
  await leave(join(folder, 'uncounted'), [twice, postbackOf(ref, { event_name: 'install' })]);
  const queue = await open();
  await queue.flushed();
  await queue.close();
  expect(await outcomesOf(ref)).toEqual(['duplicate', 'stored', 'taken_back']);
  expect(await segmentsIn(folder)).toEqual([]);
});

test('a postback that is stored is not decided again after a kill that left its segment', async () => {
  const { ref, folder, events, open } = await freshTracker();
  const path = await leave(folder, [
    postbackOf(ref, { event_name: 'install', is_rejected: 'true' }),
    postbackOf(ref, { event_name: 'install' }),
  ]);
  const copy = join(folder, '..', 'copy');
  await copyFile(path, copy);
  for (let starts = 0; starts < 2; starts += 1) {
    const queue = await open();
    await queue.flushed();
    await queue.close();
    expect(await segmentsIn(folder)).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(['click', 'install']);
    expect(await outcomesOf(ref)).toEqual(['rejected', 'stored']);
    await copyFile(copy, path);
  }
});
