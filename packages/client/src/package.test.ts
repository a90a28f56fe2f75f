import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A folder of a project that has the package installed as `npm pack` makes it. */
async function projectWithClient(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-client-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: pathOf('..') });
  const [file] = await readdir(folder);
  const installed = join(folder, 'node_modules/@bidwell/client');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, file!), '-C', installed, '--strip-components=1']);
  const dependency = 'node_modules/openapi-fetch';
  await symlink(pathOf(`../../../${dependency}`), join(folder, dependency));
  return folder;
}

test('the package says which Node.js it needs, and its links lead to files that it has', async () => {
  const folder = join(await projectWithClient(), 'node_modules/@bidwell/client');
  const { engines } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { engines: object };
  expect(engines).toEqual({ node: expect.stringMatching(/^>=\d/) });
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
  for (const link of links.filter((each) => !/^(https:|#)/.test(each)))
    await expect(stat(join(folder, link))).resolves.toBeDefined();
  expect(links.filter((link) => link.startsWith('..'))).toEqual([]);
});

test('the package runs in a project of plain JavaScript, and has its types for one of TypeScript', async () => {
  const cwd = await projectWithClient();
  const lines = [
    "import { createClient } from '@bidwell/client';",
    "const { listCampaigns } = createClient({ url: 'http://127.0.0.1:9', key: 'key' });",
  ];
  await writeFile(join(cwd, 'main.mjs'), [...lines, 'console.log(typeof listCampaigns);'].join('\n'));
  expect((await run(process.execPath, ['main.mjs'], { cwd })).stdout).toBe('function\n');
  const typed = [
    ...lines,
    'export const { campaigns } = await listCampaigns();',
    '// @ts-expect-error -- a list is no number',
    'export const count: number = campaigns;',
  ];
  await writeFile(join(cwd, 'main.mts'), typed.join('\n'));
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom', 'main.mts'];
  expect((await run(pathOf('../../../node_modules/.bin/tsc'), options, { cwd })).stdout).toBe('');
});
