import { build } from 'esbuild';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../../server', import.meta.url));
const threads = {
  // The server expects its threads' programs in its own folder.
  'media-worker': 'src/modules/catalog/creatives/media/media-worker.ts',
  'pglite-worker': 'src/platform/postgres/embedded/pglite-worker.ts',
};
/** The sources of each program, by the files that are made of them. */
const programs = {
  serve: { serve: 'src/start/serve.ts', ...threads },
  'serve-with-clock': { 'serve-with-clock': '../../chaos/serve-with-clock.ts', ...threads },
  'clickhouse-stand-in': { 'clickhouse-stand-in': '../testing/src/engines/fake-clickhouse.ts' },
};
type Program = keyof typeof programs;

/** Native modules, and modules that load files of their own; everything else is bundled. */
const external = ['@electric-sql/pglite', '@node-rs/argon2', 'chdb', 'sharp'];

/**
 * First lines of each file: what bundled CommonJS modules expect, and WebAssembly (PGlite) without the optimizing
 * compiler, whose work does not pay in a process of a few seconds. The bundler does not know their names, which no module may use.
 */
const banner = `
import { createRequire as __createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
import { setFlagsFromString as __setFlags } from 'node:v8';
__setFlags('--liftoff-only');
const require = __createRequire(import.meta.url);
const __filename = __pathOf(import.meta.url);
const __dirname = __dirnameOf(__filename);
`;

/** Age from which folders are left over from earlier runs: longer than any run. */
const OLD_MS = 3_600_000;

const folders = new Map<Program, Promise<string>>();

/**
 * Path of a program that tests start in child processes. A program is bundled once, with its dependencies, because
 * loading a compiler or two thousand files in each process would take seconds of CPU time.
 */
export async function builtProgram(name: Program): Promise<string> {
  const folder = folders.get(name) ?? bundle(name);
  folders.set(name, folder);
  return join(await folder, `${name}.js`);
}

async function bundle(name: Program): Promise<string> {
  // Inside the package, so that the programs find the modules that are not bundled.
  const cache = join(packageFolder, '.cache');
  await mkdir(cache, { recursive: true });
  await removeOld(cache);
  const outdir = await mkdtemp(join(cache, 'programs-'));
  await build({
    absWorkingDir: packageFolder,
    entryPoints: programs[name],
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    splitting: true,
    banner: { js: banner },
    external,
    logLevel: 'error',
  });
  return outdir;
}

/** Removes folders of earlier runs: workers are killed and cannot remove their own. */
async function removeOld(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('programs-')) continue;
    const path = join(cache, name);
    // Another worker may have removed it already.
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > OLD_MS) await rm(path, { recursive: true, force: true });
  }
}
