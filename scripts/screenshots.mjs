/** npm run screenshots [-- NAME …]: takes screenshots of every screen and dialog, in .cache/screenshots. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensurePrograms } from './apt.mjs';
import { ensureBuilt } from './build.mjs';
import { chromium, chromiumPath } from './chromium.mjs';
import { ensureInstalled, root } from './install.mjs';

const installing = ensurePrograms([chromium]);
ensureInstalled();
ensureBuilt();
const [hint] = await installing;
if (hint) {
  console.error(hint);
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/tsx/dist/cli.mjs'), 'e2e/screenshots.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM_PATH: chromiumPath(), UV_THREADPOOL_SIZE: '16' },
  },
);
process.exit(status ?? 1);
