import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ensureInstalled, root } from './install.mjs';
import { sourceHash } from './source-hash.mjs';

const serverOut = join(root, 'packages/server/dist');
const consoleDir = join(root, 'packages/console');
const stamp = join(serverOut, '.built-from');

/** Entry points of the bundled programs, by the name of their file in packages/server/dist. */
const programs = {
  serve: 'packages/server/src/start/serve.ts',
  'media-worker': 'packages/server/src/modules/catalog/creatives/media/media-worker.ts',
  'import-worker': 'packages/server/src/delivery/audiences/import/import-worker.ts',
  'invoice-worker': 'packages/server/src/modules/money/invoices/pdf/invoice-worker.ts',
  'signing-worker': 'packages/server/src/delivery/skadnetwork/signing-worker.ts',
  'pglite-worker': 'packages/server/src/platform/postgres/embedded/pglite-worker.ts',
  operator: 'packages/server/src/cli/main.ts',
  demo: 'packages/exchange/src/demo.ts',
  exchange: 'packages/exchange/src/cli.ts',
  replay: 'packages/exchange/src/replay.ts',
  'make-postgres-template': 'packages/server/src/platform/postgres/embedded/make-template.ts',
};

/** Path of a bundled program. */
export const programPath = (name) => join(serverOut, `${name}.js`);

/**
 * Builds the console and the programs, unless they are up to date with the sources. Runs in a child process: a build takes
 * 800 MiB, which a process that runs the server afterwards would not release.
 */
export function ensureBuilt() {
  if (isBuilt()) return;
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const wantedStamp = () =>
  sourceHash(
    ['contract', 'server', 'console', 'exchange'].map((name) => `packages/${name}`),
    ['package-lock.json', 'scripts/build.mjs'],
  );
const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wantedStamp();

async function buildAll() {
  const wanted = wantedStamp();
  console.log('Building …');
  mkdirSync(serverOut, { recursive: true });
  for (const name of readdirSync(serverOut))
    if (!name.startsWith('postgres-')) rmSync(join(serverOut, name), { recursive: true });
  await buildPrograms();
  cpSync(join(root, 'packages/exchange/src/demo/videos'), join(serverOut, 'videos'), { recursive: true });
  cpSync(join(root, 'packages/server/src/modules/money/invoices/pdf/fonts'), join(serverOut, 'fonts'), {
    recursive: true,
  });
  await Promise.all([makePostgresTemplate(), buildConsole()]);
  writeFileSync(stamp, wanted);
}

async function buildPrograms() {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: serverOut,
    bundle: true,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: true,
    // npm dependencies stay external; the workspace's own packages are TypeScript and are bundled.
    plugins: [{ name: 'external-dependencies', setup: externalDependencies }],
    logLevel: 'warning',
  });
}

/** Creates the template that new embedded databases are copied from. It depends on PGlite only: one per version. */
async function makePostgresTemplate() {
  const making = spawn(process.execPath, [programPath('make-postgres-template'), serverOut], {
    stdio: 'inherit',
  });
  const [status] = await once(making, 'exit');
  if (status !== 0) throw new Error('The template of the embedded database could not be made.');
}

function externalDependencies({ onResolve }) {
  onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@bidwell/') ? undefined : { path, external: true },
  );
}

async function buildConsole() {
  const { build } = await import('vite');
  await build({ root: consoleDir, configFile: join(consoleDir, 'vite.config.ts'), logLevel: 'warn' });
  await compressFiles(join(consoleDir, 'dist'));
}

/** Writes a compressed copy next to each file that compresses well, so that the server need not compress it for each client. */
async function compressFiles(folder) {
  // The best quality: it costs two seconds of a build once, and each visit has 7 % less to load.
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const paths = readdirSync(folder, { recursive: true }).filter((path) =>
    /\.(js|css|svg|json|txt)$/.test(path),
  );
  // Node.js compresses several at a time.
  await Promise.all(
    paths.map(async (name) => {
      const path = join(folder, name);
      const content = readFileSync(path);
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(content, best));
      writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  if (!isBuilt()) await buildAll();
}
