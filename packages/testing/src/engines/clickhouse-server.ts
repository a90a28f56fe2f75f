import { fork } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from '../built-program.ts';
import { freePort } from '../../../../chaos/server-process.ts';

/** A process that imitates a ClickHouse server, with chDB in a folder. */
export interface ClickHouseServer {
  port: number;
  url: string;
  stop(): Promise<void>;
}

/** Starts the process, which ends with this process at the latest. */
export async function startClickHouseServer(folder: string): Promise<ClickHouseServer> {
  const port = await freePort();
  const child = fork(await builtProgram('clickhouse-stand-in'), [String(port), folder], {
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
