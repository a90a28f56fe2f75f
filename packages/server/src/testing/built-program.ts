import { build } from 'esbuild';
import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const sources = {
  serve: 'src/serve.ts',
  'clickhouse-stand-in': 'src/testing/clickhouse-stand-in.ts',
  // The server looks for it beside itself.
  'file-reader': 'src/modules/creatives/file-reader.ts',
};

/** Longer than any run. */
const OLD_MS = 3_600_000;

let folder: Promise<string> | undefined;

/**
 * Where a program is that tests start in processes of their own, bundled once: a process that loads a compiler first takes
 * seconds of a core more.
 */
export async function builtProgram(name: keyof typeof sources): Promise<string> {
  folder ??= bundle();
  return join(await folder, `${name}.js`);
}

async function bundle(): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // In the package, where the programs find its dependencies.
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
    // Dependencies stay where npm put them; the workspace's own packages are TypeScript.
    external: Object.keys(dependencies).filter((dependency) => !dependency.startsWith('@bidwell/')),
  });
  return outdir;
}

/** Removes what runs of before left: a worker is ended without a chance to do it. */
async function removeOld(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith('programs-')) continue;
    const path = join(cache, name);
    // Another worker may have removed it just now.
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > OLD_MS) await rm(path, { recursive: true, force: true });
  }
}
