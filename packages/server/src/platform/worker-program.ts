import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Esbuild from 'esbuild';

/** Packages that find files of their own next to their modules, and so cannot be part of a bundle. */
const UNBUNDLED = ['@electric-sql/pglite', 'pdfkit'];

/**
 * Program of a worker thread whose source is the TypeScript file `source`: a file next to the server's bundle, or, when
 * running from source, bundled now. Loading TypeScript in the worker would take a second of a core for each. `caller` is the
 * address of the module that starts the worker, which must be in the folder of `source`.
 */
export async function workerProgram(source: string, caller: string): Promise<URL> {
  if (caller.endsWith('.ts')) return bundled(new URL(source, caller));
  return new URL(`./${basename(source, '.ts')}.js`, caller);
}

async function bundled(source: URL): Promise<URL> {
  const { build } = (await import(import.meta.resolve('esbuild'))) as typeof Esbuild;
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    plugins: [{ name: 'unbundled', setup: leaveUnbundled }],
  });
  return new URL(`data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`);
}

/** A program in a data URL can import files by their address only. */
function leaveUnbundled({ onResolve }: Esbuild.PluginBuild): void {
  for (const name of UNBUNDLED)
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
      path: import.meta.resolve(name),
      external: true,
    }));
}
