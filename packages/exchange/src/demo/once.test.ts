import { readConfig } from '@bidwell/server/config/config';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PreparationInterrupted, once } from './once.ts';

let dataDir = '';
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'bidwell-once-'))));
afterEach(async () => rm(dataDir, { recursive: true, force: true }));

const config = () => readConfig({ DATA_DIR: dataDir, NODE_ENV: 'test' });
const failing = async () => {
  await mkdir(join(dataDir, 'postgres'));
  throw new Error('killed');
};

test('a folder is prepared once', async () => {
  let runs = 0;
  for (let start = 0; start < 2; start += 1) await once(config(), async () => void (runs += 1));
  expect(runs).toBe(1);
});

test('after an interruption the preparation starts again with an empty folder and the same secrets', async () => {
  const { operatorToken } = config();
  await expect(once(config(), failing)).rejects.toThrow('killed');
  let wasEmpty = false;
  await once(config(), async () => void (wasEmpty = !existsSync(join(dataDir, 'postgres'))));
  expect(wasEmpty).toBe(true);
  expect(config().operatorToken).toBe(operatorToken);
});

test('files that were in the folder before an interrupted preparation are never deleted', async () => {
  await mkdir(join(dataDir, 'postgres'));
  const interrupted = async () => Promise.reject(new Error('killed'));
  await expect(once(config(), interrupted)).rejects.toThrow('killed');
  await expect(once(config(), async () => {})).rejects.toThrow(PreparationInterrupted);
  expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
});
