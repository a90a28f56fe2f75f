import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Server, serverAt } from '../support/server.ts';

const VARIABLE = 'LOCAL_CLUSTER';
const COMMAND = fileURLToPath(new URL('../../deploy/local-cluster.mjs', import.meta.url));
const START_WITHIN_MS = 600_000;

/** A running local cluster. */
export interface LocalCluster {
  server: Server;
  /** Addresses of the processes of a role. */
  processes(role: string): string[];
}

/** Runs deploy/local-cluster.mjs before the tests. Resolves to the function that stops it, which throws if that fails. */
export default async function startLocalCluster(): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [COMMAND], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  let output = '';
  const killer = setTimeout(() => child.kill(), START_WITHIN_MS);
  const started = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/^Operator token: \w+$/m.test(output)) resolve();
    });
  });
  const failed = ended.then((code) => {
    throw new Error(`The cluster did not start: it ended with ${code}: ${output}`);
  });
  await Promise.race([started, failed]);
  clearTimeout(killer);
  // Workers inherit the environment.
  process.env[VARIABLE] = output;
  return async () => {
    child.kill('SIGTERM');
    const code = await ended;
    if (code !== 0) throw new Error(`The cluster ended with ${code}: ${output}`);
  };
}

/** The cluster of this run. */
export function cluster(): LocalCluster {
  const output = process.env[VARIABLE]!;
  const url = /^Bidwell is at (\S+)$/m.exec(output)![1]!;
  const token = /^Operator token: (\w+)$/m.exec(output)![1]!;
  return {
    server: serverAt(url, token),
    processes: (role) =>
      [...output.matchAll(/^ +(\w+)-\d+ +(http\S+)$/gm)].flatMap(([, name, address]) =>
        name === role ? [address!] : [],
      ),
  };
}
