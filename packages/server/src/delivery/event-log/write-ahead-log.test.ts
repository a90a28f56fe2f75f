import {
  type FileHandle,
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Unavailable } from '../../platform/errors.ts';
import { deleteOldQuarantine } from './quarantine.ts';
import { type DamagedSegment, type WriteAheadLogOptions, openWriteAheadLog } from './write-ahead-log.ts';
import { eventually } from '@bidwell/testing/eventually';

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A loader that records its input, and fails `failures` times. */
function memoryLoader() {
  const loaded: { batch: string; texts: string[]; doubtful: boolean }[] = [];
  const state = { failures: 0, inserts: 0 };
  const load: WriteAheadLogOptions['load'] = async (segments) => {
    if (state.failures > 0) {
      state.failures -= 1;
      throw new Error('unavailable');
    }
    state.inserts += 1;
    for (const { batch, records, doubtful } of segments)
      loaded.push({ batch, texts: records.map(String), doubtful });
  };
  return { loaded, state, load, onLoadError: () => {}, retryMs: 1 };
}

test('appended records are loaded in order, and the folder is empty afterwards', async () => {
  const folder = await freshFolder();
  const loader = memoryLoader();
  const log = await openWriteAheadLog({ folder, ...loader });
  await log.recovered;
  await Promise.all(Array.from({ length: 500 }, (_, index) => log.append(Buffer.from(`event ${index}`))));
  await log.flushed();
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(
    Array.from({ length: 500 }, (_, index) => `event ${index}`),
  );
  expect(await readdir(folder)).toEqual([]);
  await log.close();
});

test('a segment that could not be loaded stays, is retried, and is then looked up', async () => {
  const loader = memoryLoader();
  const log = await openWriteAheadLog({ folder: await freshFolder(), ...loader });
  loader.state.failures = 2;
  await log.append(Buffer.from('precious'));
  await log.flushed();
  expect(loader.loaded).toMatchObject([{ texts: ['precious'], doubtful: true }]);
  await log.close();
});

test('a process that ended before loading leaves its segments to the next one', async () => {
  const folder = await freshFolder();
  const failing = memoryLoader();
  failing.state.failures = Infinity;
  const first = await openWriteAheadLog({ folder, ...failing });
  await first.append(Buffer.from('stored'));
  await first.close();
  const loader = memoryLoader();
  const second = await openWriteAheadLog({ folder, ...loader });
  await second.recovered;
  expect(loader.loaded).toMatchObject([{ texts: ['stored'], doubtful: true }]);
  await second.close();
});

test('a torn last record is dropped, and the records before it are not', async () => {
  const folder = await freshFolder();
  const failing = memoryLoader();
  failing.state.failures = Infinity;
  const first = await openWriteAheadLog({ folder, ...failing });
  await first.append(Buffer.from('whole'));
  await first.close();
  const [name] = await readdir(folder);
  await appendFile(join(folder, name!), Buffer.from([0, 0, 0, 9, 1, 2, 3, 4, 5]));
  const loader = memoryLoader();
  const second = await openWriteAheadLog({ folder, ...loader });
  await second.recovered;
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['whole']);
  await second.close();
});

test('if too much waits on disk, an append is rejected with a retry time', async () => {
  const failing = memoryLoader();
  failing.state.failures = Infinity;
  const log = await openWriteAheadLog({ folder: await freshFolder(), ...failing, bytesMax: 100 });
  await log.append(Buffer.alloc(200));
  await expect(log.append(Buffer.from('more'))).rejects.toThrow(Unavailable);
  await log.close();
});

test('zeros at the end of a segment, as after a power cut, are not records', async () => {
  const folder = await freshFolder();
  const failing = memoryLoader();
  failing.state.failures = Infinity;
  const first = await openWriteAheadLog({ folder, ...failing });
  await first.append(Buffer.from('whole'));
  await first.close();
  const [name] = await readdir(folder);
  await appendFile(join(folder, name!), Buffer.alloc(64));
  const loader = memoryLoader();
  const second = await openWriteAheadLog({ folder, ...loader });
  await second.recovered;
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['whole']);
  await second.close();
});

/** Makes the next call of a file handle's method fail, as on a failing disk. */
async function failOnce(folder: string, method: 'datasync' | 'truncate' | 'sync'): Promise<void> {
  const handle = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const spy = vi.spyOn(prototype, method).mockRejectedValueOnce(new Error('the disk fails'));
  onTestFinished(() => spy.mockRestore());
}

/** Makes each `datasync` in the folder wait until the returned function is called. */
async function hang(folder: string): Promise<() => void> {
  const handle = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  let respond = (): void => {};
  const responded = new Promise<void>((resolve) => (respond = resolve));
  const spy = vi.spyOn(prototype, 'datasync').mockReturnValue(responded);
  onTestFinished(() => spy.mockRestore());
  return respond;
}

test.each([
  ['a failing disk did not acknowledge', ['datasync']],
  ['a failing disk that refuses to truncate did not acknowledge', ['datasync', 'truncate']],
] as const)('records that %s are not loaded, and may be sent again', async (_what, failing) => {
  const folder = await freshFolder();
  const loader = memoryLoader();
  const log = await openWriteAheadLog({ folder, ...loader, segmentMs: 3_600_000 });
  await log.append(Buffer.from('before'));
  for (const method of failing) await failOnce(folder, method);
  await expect(log.append(Buffer.from('unsure'))).rejects.toThrow(Unavailable);
  await log.append(Buffer.from('unsure'));
  await log.flushed();
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['before', 'unsure']);
  await log.close();
});

test('a segment that cannot be opened rejects the append, and the next one works', async () => {
  const folder = await freshFolder();
  const loader = memoryLoader();
  const log = await openWriteAheadLog({ folder, ...loader });
  await log.recovered;
  await failOnce(folder, 'sync');
  await expect(log.append(Buffer.from('lost'))).rejects.toThrow(Unavailable);
  await log.append(Buffer.from('stored'));
  await log.close();
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['stored']);
});

test('closing while the loader fails calls it once, even if many segments wait', async () => {
  const folder = await freshFolder();
  let calls = 0;
  let closing = false;
  const failingLoad = () => {
    calls += closing ? 1 : 0;
    return Promise.reject(new Error('unavailable'));
  };
  const log = await openWriteAheadLog({
    folder,
    load: failingLoad,
    onLoadError: () => {},
    segmentMs: 0,
    retryMs: 1,
  });
  for (let index = 0; index < 20; index += 1) await log.append(Buffer.from(`event ${index}`));
  closing = true;
  await log.close();
  expect(calls).toBeLessThanOrEqual(2);
  expect(await readdir(folder)).toHaveLength(20);
});

test('waiting segments are loaded together, so that a slow loader keeps up', async () => {
  const loader = memoryLoader();
  let release = (): void => {};
  const slow = new Promise<void>((resolve) => (release = resolve));
  const load: WriteAheadLogOptions['load'] = async (segments) => {
    if (loader.state.inserts === 0) await slow;
    return loader.load(segments);
  };
  const log = await openWriteAheadLog({ folder: await freshFolder(), ...loader, load, segmentMs: 0 });
  for (let index = 0; index < 40; index += 1) await log.append(Buffer.from(`event ${index}`));
  release();
  await log.flushed();
  expect(loader.loaded.flatMap(({ texts }) => texts)).toHaveLength(40);
  expect(loader.state.inserts).toBeLessThanOrEqual(3);
  await log.close();
});

test('records that come soon after a load are loaded together, at once if a caller waits for them', async () => {
  const loader = memoryLoader();
  const log = await openWriteAheadLog({
    folder: await freshFolder(),
    ...loader,
    segmentMs: 0,
    loadEveryMs: 3_600_000,
  });
  await log.append(Buffer.from('first'));
  await eventually(() => expect(loader.loaded).toHaveLength(1));
  for (const text of ['second', 'third']) await log.append(Buffer.from(text));
  await log.flushed();
  expect(loader.loaded.map(({ texts }) => texts)).toEqual([['first'], ['second'], ['third']]);
  expect(loader.state.inserts).toBe(2);
  await log.append(Buffer.from('last'));
  await log.close();
  expect(loader.loaded).toHaveLength(4);
});

test('an insert has at most the maximum number of rows', async () => {
  const folder = await freshFolder();
  const failing = memoryLoader();
  failing.state.failures = Infinity;
  const first = await openWriteAheadLog({ folder, ...failing, segmentMs: 0, retryMs: 60_000 });
  for (let index = 0; index < 10; index += 1) await first.append(Buffer.from(`event ${index}`));
  await first.close();
  const loader = memoryLoader();
  const second = await openWriteAheadLog({ folder, ...loader, rowsMax: 3 });
  await second.recovered;
  expect(loader.loaded).toHaveLength(10);
  expect(loader.state.inserts).toBe(4);
  await second.close();
});

/** Writes a segment with these records, and closes its log without loading it. */
async function leftSegment(folder: string, texts: string[]): Promise<string> {
  const failing = memoryLoader();
  failing.state.failures = Infinity;
  const log = await openWriteAheadLog({ folder, ...failing, segmentMs: 3_600_000 });
  await Promise.all(texts.map((text) => log.append(Buffer.from(text))));
  await log.close();
  const names = (await readdir(folder)).filter((name) => name.endsWith('.wal')).sort();
  return join(folder, names.at(-1)!);
}

test('a damaged segment is quarantined, and the intact records around the damage are loaded', async () => {
  const folder = await freshFolder();
  const texts = Array.from({ length: 60 }, (_, index) => `{"event":${index}}`);
  const path = await leftSegment(folder, texts);
  const bytes = await readFile(path);
  bytes[Math.floor(bytes.length / 2)]! ^= 0xff;
  await writeFile(path, bytes);
  const loader = memoryLoader();
  const damaged: DamagedSegment[] = [];
  const log = await openWriteAheadLog({ folder, ...loader, onDamage: (one) => damaged.push(one) });
  await log.recovered;
  const loaded = loader.loaded.flatMap((one) => one.texts);
  expect(loaded).toHaveLength(59);
  expect(loaded).toEqual(texts.filter((text) => loaded.includes(text)));
  expect(damaged).toMatchObject([{ records: 59 }]);
  expect(await readFile(damaged[0]!.path)).toEqual(bytes);
  await log.append(Buffer.from('goes on'));
  await log.flushed();
  expect(loader.loaded.at(-1)?.texts).toEqual(['goes on']);
  await log.close();
});

test('a segment is deleted once it has been quarantined for too long, and not before, even if it is old', async () => {
  const dataDir = await freshFolder();
  const folder = join(dataDir, 'event-log');
  const path = await leftSegment(folder, ['one']);
  await appendFile(path, 'damage');
  const yearAgo = new Date(Date.now() - 365 * 86_400_000);
  await utimes(path, yearAgo, yearAgo);
  const damaged: DamagedSegment[] = [];
  const log = await openWriteAheadLog({ folder, ...memoryLoader(), onDamage: (one) => damaged.push(one) });
  await log.recovered;
  await log.close();
  const kept = async (before: Date) => deleteOldQuarantine(dataDir, { before, bytesMax: 1000 });
  expect(await kept(new Date(Date.now() - 60_000))).toBe(0);
  expect(await readFile(damaged[0]!.path)).toBeDefined();
  expect(await kept(new Date(Date.now() + 60_000))).toBe(1);
  await expect(readFile(damaged[0]!.path)).rejects.toThrow('ENOENT');
});

test('an unreadable segment blocks neither the start nor other segments', async () => {
  const folder = await freshFolder();
  await leftSegment(folder, ['stored']);
  await mkdir(join(folder, '00000000-0000-7000-8000-000000000000.wal'));
  await writeFile(
    join(folder, 'ffffffff-0000-7000-8000-000000000000.wal'),
    'BWLOG\0\0\x09of a later release',
  );
  const loader = memoryLoader();
  const damaged: DamagedSegment[] = [];
  const log = await openWriteAheadLog({ folder, ...loader, onDamage: (one) => damaged.push(one) });
  await log.recovered;
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['stored']);
  expect(damaged).toHaveLength(2);
  expect((await readdir(folder)).sort()).toEqual(['ffffffff-0000-7000-8000-000000000000.wal', 'quarantine']);
  expect(log.waiting().bytes).toBe(0);
  await log.close();
});

test('a segment that the loader always rejects does not block the others', async () => {
  const folder = await freshFolder();
  const loader = memoryLoader();
  const load: WriteAheadLogOptions['load'] = async (segments) => {
    if (segments.some(({ records }) => records.some((record) => String(record) === 'poison')))
      throw new Error('refused');
    return loader.load(segments);
  };
  const log = await openWriteAheadLog({ folder, ...loader, load, segmentMs: 0 });
  for (const text of ['poison', 'one', 'two', 'three']) await log.append(Buffer.from(text));
  await eventually(() =>
    expect(loader.loaded.flatMap(({ texts }) => texts).sort()).toEqual(['one', 'three', 'two']),
  );
  await log.close();
  expect(await readdir(folder)).toHaveLength(1);
});

const slowLane = { name: 'slow', segmentMs: 0, bytesMax: 1024 ** 2, rowsMax: 1 };

/** Loads the texts of a log with two lanes in the order of `loaded`, and fails for the lanes in `failing`. */
async function openTwoLanes(folder: string, failing: ReadonlySet<string> = new Set()) {
  const loaded: string[] = [];
  const loaderOf = (lane: string): WriteAheadLogOptions['load'] => {
    return async (segments) => {
      if (failing.has(lane)) throw new Error('unavailable');
      loaded.push(...segments.flatMap(({ records }) => records.map(String)));
    };
  };
  const log = await openWriteAheadLog({
    folder,
    segmentMs: 3_600_000,
    load: loaderOf(''),
    lanes: [{ ...slowLane, load: loaderOf('slow') }],
    retryMs: 1,
    onLoadError: () => {},
  });
  return { log, loaded };
}

test('records of another lane are loaded after earlier ones of the first, in turns with later ones', async () => {
  const { log, loaded } = await openTwoLanes(await freshFolder());
  const append = (text: string, lane?: string) => log.append(Buffer.from(text), lane);
  // None is written yet when the next one is appended.
  await Promise.all([append('first'), append('slow 1', 'slow')]);
  await eventually(() => expect(loaded).toEqual(['first', 'slow 1']));
  await append('first again');
  await append('slow 2', 'slow');
  await append('slow 3', 'slow');
  await log.flushed();
  expect(loaded.slice(2)).toEqual(['first again', 'slow 2', 'slow 3']);
  await log.close();
});

test('a lane that cannot be loaded delays no other, and keeps its records for the next process', async () => {
  const folder = await freshFolder();
  const failing = await openTwoLanes(folder, new Set(['slow']));
  await failing.log.append(Buffer.from('slow'), 'slow');
  await failing.log.append(Buffer.from('first'));
  await eventually(async () => {
    await failing.log.append(Buffer.from('slow too'), 'slow');
    expect(failing.loaded).toEqual(['first']);
  });
  await eventually(() => expect(failing.log.waiting().bytes).toBe(0));
  expect(failing.log.waiting('slow').bytes).toBeGreaterThan(0);
  await failing.log.close();
  const next = await openTwoLanes(folder);
  await next.log.recovered;
  expect(next.loaded.slice(0, 2)).toEqual(['slow', 'slow too']);
  await next.log.close();
  expect(await readdir(folder)).toEqual([]);
});

test('a load may append to another lane while the log closes, and the next process gets the record', async () => {
  const folder = await freshFolder();
  const log = await openWriteAheadLog({
    folder,
    segmentMs: 3_600_000,
    lanes: [{ ...slowLane, segmentMs: 3_600_000, load: async () => {} }],
    onLoadError: () => {},
    load: async (segments) => {
      for (const { records } of segments) await log.append(records[0]!, 'slow');
    },
  });
  await log.append(Buffer.from('undecided'));
  await log.close();
  const next = await openTwoLanes(folder);
  await next.log.recovered;
  expect(next.loaded).toEqual(['undecided']);
  await next.log.close();
});

test('the segments that a lane had in a folder of its own are loaded', async () => {
  const folder = await freshFolder();
  await mkdir(join(folder, 'slow'));
  await leftSegment(join(folder, 'slow'), ['slow']);
  await leftSegment(folder, ['first']);
  const { log, loaded } = await openTwoLanes(folder);
  await log.recovered;
  expect(loaded).toEqual(['first', 'slow']);
  await log.close();
  expect(await readdir(folder, { recursive: true })).toEqual(['slow']);
});

test('after a failed write a probe detects when the disk accepts writes again', async () => {
  const folder = await freshFolder();
  const log = await openWriteAheadLog({ folder, ...memoryLoader() });
  await failOnce(folder, 'datasync');
  await expect(log.append(Buffer.from('lost'))).rejects.toThrow(Unavailable);
  expect(log.writeError()?.message).toBe('the disk fails');
  await log.probe();
  expect(log.writeError()).toBeNull();
  await log.close();
});

test('a disk that does not answer counts as failed, and nothing waits for it without end', async () => {
  const folder = await freshFolder();
  const loader = memoryLoader();
  const log = await openWriteAheadLog({ folder, ...loader, stallMs: 40 });
  const respond = await hang(folder);
  const hanging = log.append(Buffer.from('hangs'));
  const behind = log.append(Buffer.from('behind'));
  await expect(hanging).rejects.toThrow(Unavailable);
  await expect(behind).rejects.toThrow(Unavailable);
  expect(log.writeError()?.message).toBe('the disk does not answer');
  await expect(log.append(Buffer.from('later'))).rejects.toThrow(Unavailable);
  await log.probe();
  expect(log.writeError()).not.toBeNull();
  respond();
  await eventually(() => log.append(Buffer.from('goes on')));
  expect(log.writeError()).toBeNull();
  await log.flushed();
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['hangs', 'behind', 'goes on']);
  await log.close();
});

test('a probe of a disk that does not answer ends, too, and is made once at a time', async () => {
  const folder = await freshFolder();
  const log = await openWriteAheadLog({ folder, ...memoryLoader(), stallMs: 40 });
  const respond = await hang(folder);
  await Promise.all([log.probe(), log.probe()]);
  expect(log.writeError()?.message).toBe('the disk does not answer');
  expect((await readdir(folder)).filter((name) => name.startsWith('probe-'))).toHaveLength(1);
  respond();
  await eventually(async () => {
    await log.probe();
    expect(log.writeError()).toBeNull();
  });
  await log.close();
});
