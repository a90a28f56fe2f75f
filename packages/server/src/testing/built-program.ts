import { build } from 'esbuild';
import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const sources = {
  serve: 'src/serve.ts',
  'clickhouse-stand-in': 'src/testing/fake-clickhouse.ts',
  // The server expects it in its own folder.
  'media-worker': 'src/modules/creatives/media-worker.ts',
};

/** Age from which folders are left over from earlier runs: longer than any run. */
const OLD_MS = 3_600_000;

let folder: Promise<string> | undefined;

/**
 * Path of a program that tests start in child processes. Programs are bundled once, because loading a compiler in each
 * process would take seconds of CPU time.
 */
export async function builtProgram(name: keyof typeof sources): Promise<string> {
  folder ??= bundle();
  return join(await folder, `${name}.js`);
}

async function bundle(): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // Inside the package, so that the programs find its dependencies.
  const cache = join(packageFolder, '.cache');
  await mkdir(cache, { recursive: true });
  await removeOld(cache);
  const outdir = await mkdtemp(join(cache, 'programs-'));
  await build({
    absWorkingDir: packageFolder,
    entryPoints: sources,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    // npm dependencies stay external; the workspace's own packages are TypeScript and are bundled.
    external: Object.keys(dependencies).filter((dependency) => !dependency.startsWith('@bidwell/')),
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
