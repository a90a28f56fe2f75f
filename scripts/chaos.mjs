/** npm run chaos [-- ARGUMENTS …]: runs the fault-injection scenarios against the built server. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, programPath } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
ensureBuilt();
const { status } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--import',
    pathToFileURL(join(root, 'scripts/typescript.mjs')).href,
    join(root, 'chaos/main.ts'),
    '--program',
    programPath('serve'),
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, UV_THREADPOOL_SIZE: '16' } },
);
process.exit(status ?? 1);
