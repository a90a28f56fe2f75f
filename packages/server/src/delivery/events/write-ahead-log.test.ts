import type { FileHandle } from 'node:fs/promises';
import { appendFile, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Unavailable } from '../../platform/errors.ts';
import type { WriteAheadLogOptions } from './write-ahead-log.ts';
import { openWriteAheadLog } from './write-ahead-log.ts';

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A loader that keeps what it is given and can be told to fail. */
function memoryLoader() {
  const loaded: { batch: string; texts: string[]; doubtful: boolean }[] = [];
  const state = { failures: 0 };
  const load: WriteAheadLogOptions['load'] = async (batch, records, doubtful) => {
    if (state.failures > 0) {
      state.failures -= 1;
      throw new Error('away');
    }
    loaded.push({ batch, texts: records.map(String), doubtful });
  };
  return { loaded, state, load, onLoadError: () => {}, retryMs: 1 };
}

test('what was appended is loaded in its order, and the folder is empty after', async () => {
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

test('a segment that could not be loaded is kept, tried again, and then asked about', async () => {
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
  await first.append(Buffer.from('kept'));
  await first.close();
  const loader = memoryLoader();
  const second = await openWriteAheadLog({ folder, ...loader });
  await second.recovered;
  expect(loader.loaded).toMatchObject([{ texts: ['kept'], doubtful: true }]);
  await second.close();
});

test('a torn last record is dropped, and those before it are not', async () => {
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

test('when too much waits on disk, an append is refused and says when to come back', async () => {
  const failing = memoryLoader();
  failing.state.failures = Infinity;
  const log = await openWriteAheadLog({ folder: await freshFolder(), ...failing, bytesMax: 100 });
  await log.append(Buffer.alloc(200));
  await expect(log.append(Buffer.from('more'))).rejects.toThrow(Unavailable);
  await log.close();
});

test('zeros at the end of a segment, which a power cut may leave, are no records', async () => {
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

/** Lets the next call of a file handle's method fail, as a failing disk does. */
async function failOnce(folder: string, method: 'datasync' | 'truncate' | 'sync'): Promise<void> {
  const handle = await open(folder, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const spy = vi.spyOn(prototype, method).mockRejectedValueOnce(new Error('the disk fails'));
  onTestFinished(() => spy.mockRestore());
}

test('what a failing disk did not acknowledge is not loaded, and may come again', async () => {
  const folder = await freshFolder();
  const loader = memoryLoader();
  const log = await openWriteAheadLog({ folder, ...loader, segmentMs: 3_600_000 });
  await log.append(Buffer.from('before'));
  await failOnce(folder, 'datasync');
  await expect(log.append(Buffer.from('unsure'))).rejects.toThrow(Unavailable);
  await log.append(Buffer.from('unsure'));
  await log.flushed();
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['before', 'unsure']);
  await log.close();
});

test('not even when the disk refuses to cut it off', async () => {
  const folder = await freshFolder();
  const loader = memoryLoader();
  const log = await openWriteAheadLog({ folder, ...loader, segmentMs: 3_600_000 });
  await log.append(Buffer.from('before'));
  await failOnce(folder, 'datasync');
  await failOnce(folder, 'truncate');
  await expect(log.append(Buffer.from('unsure'))).rejects.toThrow(Unavailable);
  await log.append(Buffer.from('unsure'));
  await log.flushed();
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['before', 'unsure']);
  await log.close();
});

test('a segment that cannot be opened refuses the append, and the next one works', async () => {
  const folder = await freshFolder();
  const loader = memoryLoader();
  const log = await openWriteAheadLog({ folder, ...loader });
  await log.recovered;
  await failOnce(folder, 'sync');
  await expect(log.append(Buffer.from('lost'))).rejects.toThrow(Unavailable);
  await log.append(Buffer.from('kept'));
  await log.close();
  expect(loader.loaded.flatMap(({ texts }) => texts)).toEqual(['kept']);
});

test('closing while the loader is away asks it once, however many segments wait', async () => {
  const folder = await freshFolder();
  let calls = 0;
  let closing = false;
  const away = () => {
    calls += closing ? 1 : 0;
    return Promise.reject(new Error('away'));
  };
  const log = await openWriteAheadLog({
    folder,
    load: away,
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
