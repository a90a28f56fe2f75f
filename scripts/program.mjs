/** Runs one of the bundled command-line programs: node scripts/program.mjs NAME ARGUMENTS … */
import { spawnSync } from 'node:child_process';
import { ensureBuilt, programPath } from './build.mjs';
import { ensureInstalled } from './install.mjs';

const [name, ...args] = process.argv.slice(2);
ensureInstalled();
ensureBuilt();
const { status } = spawnSync(process.execPath, ['--enable-source-maps', programPath(name), ...args], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
