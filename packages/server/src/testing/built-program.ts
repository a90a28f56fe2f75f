import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const sources = {
  serve: 'src/serve.ts',
  'clickhouse-stand-in': 'src/testing/clickhouse-stand-in.ts',
  // The server looks for it beside itself.
  'file-reader': 'src/modules/creatives/file-reader.ts',
};

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
  await mkdir(join(packageFolder, '.cache'), { recursive: true });
  const outdir = await mkdtemp(join(packageFolder, '.cache/programs-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
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
