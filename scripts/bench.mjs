/** npm run bench -- NAME [ARGUMENTS …]: runs bench/NAME.ts; with --help, says what it measures; without a name, lists the benches. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { chromiumPath } from './chromium.mjs';
import { ensureInstalled, root } from './install.mjs';
import { nodeOptions } from './memory.mjs';

/** Benches of the built server. */
const NEEDS_BUILD = ['cluster'];

const [name, ...args] = process.argv.slice(2);
const file = join(root, 'bench', `${name}.ts`);
if (!name || !/^[a-z-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(join(root, 'bench')).filter((entry) => entry.endsWith('.ts'));
  console.error(`Which bench? ${names.map((entry) => entry.slice(0, -3)).join(', ')}`);
  process.exit(1);
}
if (args.includes('--help')) {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(readFileSync(file, 'utf8')) ?? [];
  console.log(comment.replace(/^ \* ?/gm, '').trim());
  process.exit(0);
}
ensureInstalled();
if (NEEDS_BUILD.includes(name)) ensureBuilt();
const typescript = pathToFileURL(join(root, 'scripts/typescript.mjs')).href;
const { status } = spawnSync(
  process.execPath,
  [...nodeOptions().flags, '--import', typescript, file, ...args],
  {
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM_PATH: chromiumPath(), UV_THREADPOOL_SIZE: '16' },
  },
);
process.exit(status ?? 1);
