import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import setup, { parentFolder } from './test-folder.mjs';

test('temporary files are in memory only where there is room', () => {
  expect(parentFolder(tmpdir(), 1)).toBe(tmpdir());
  expect(parentFolder('/nowhere')).toBe(tmpdir());
  expect(parentFolder('/', Infinity)).toBe(tmpdir());
});

test('the folder of a run is removed with what tests left in it', () => {
  const before = tmpdir();
  const remove = setup();
  const folder = tmpdir();
  expect(folder).not.toBe(before);
  writeFileSync(join(folder, 'left.txt'), '');
  remove();
  expect([tmpdir(), existsSync(folder)]).toEqual([before, false]);
});
