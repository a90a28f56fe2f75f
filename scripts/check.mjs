/** npm run check: the generated client, then types, lint, format and unused code, in parallel. Needs no service. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';

const bin = (name) => join(root, 'node_modules/.bin', name);
const checks = {
  // The linter's rules need the types of all packages; it reports the compiler's errors with its own.
  'types and lint': [
    bin('oxlint'),
    [
      '--type-aware',
      '--type-check',
      '--deny-warnings',
      'packages',
      'e2e',
      'bench',
      'chaos',
      'scripts',
      'deploy',
    ],
  ],
  format: [bin('oxfmt'), ['--check']],
  'unused code': [bin('knip'), []],
};

/** Runs all checks and prints the output of the ones that fail. True if all passed. */
export async function check() {
  // The others read what it writes.
  const isGenerated = await passes('generated client', [process.execPath, ['scripts/generate.mjs']]);
  const results = await Promise.all(Object.entries(checks).map(async (each) => passes(...each)));
  return isGenerated && results.every(Boolean);
}

async function passes(name, [command, args]) {
  const started = Date.now();
  const { code, output } = await outputOf(command, args);
  console.log(
    `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (code !== 0) console.log(output);
  return code === 0;
}

function outputOf(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  process.exit((await check()) ? 0 : 1);
}
