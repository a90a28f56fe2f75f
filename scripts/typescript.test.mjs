import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './install.mjs';

const urlOf = (path) => pathToFileURL(join(root, path)).href;

test('Node.js runs the sources of the server without a build, as the benchmarks do', async () => {
  const load = `await import(${JSON.stringify(urlOf('packages/server/src/start/main.ts'))}); process.exit()`;
  const args = ['--import', urlOf('scripts/typescript.mjs'), '--input-type=module', '--eval', load];
  await expect(promisify(execFile)(process.execPath, args)).resolves.toBeDefined();
});
