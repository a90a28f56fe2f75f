import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from './chaos/server-process.ts';

/** A process that answers as a ClickHouse server does, from chDB in a folder. */
export interface ClickHouseServer {
  port: number;
  url: string;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('./clickhouse-stand-in.ts', import.meta.url));

/** Starts it; it ends with this process at the latest. */
export async function startClickHouseServer(folder: string): Promise<ClickHouseServer> {
  const port = await freePort();
  const child = fork(program, [String(port), folder], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child.stdout!, 'data'),
    ended.then(() => {
      throw new Error('The stand-in for ClickHouse ended.');
    }),
  ]);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
