import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { freePort } from '../../../../chaos/server-process.ts';

const paths = [
  process.env['NATS_SERVER_PATH'],
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
];

/** Path of the NATS server: NATS_SERVER_PATH, or the path of a system package. Null if there is none. */
export function natsProgram(): string | null {
  return paths.find((path) => path && existsSync(path)) ?? null;
}

/** A NATS server in a child process. */
export interface NatsServer {
  port: number;
  stop(): Promise<void>;
}

/**
 * Starts a NATS server, from NATS_SERVER_PATH or the path of a system package; null if there is none. With a folder it
 * has JetStream, which stores its streams there. `config` is the path of a configuration, with the values of its variables.
 */
export async function natsServer(
  options: {
    folder?: string;
    port?: number;
    config?: { path: string; variables: Record<string, string> };
  } = {},
): Promise<NatsServer | null> {
  const program = natsProgram();
  if (!program) return null;
  const port = options.port ?? (await freePort());
  const jetStream = options.folder === undefined ? [] : ['-js', '-sd', options.folder];
  const { config } = options;
  const configured = config ? ['-c', config.path] : [];
  const child = spawn(program, ['-a', '127.0.0.1', '-p', String(port), ...jetStream, ...configured], {
    env: { ...process.env, ...config?.variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  await new Promise<void>((ready, failed) => {
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes('Server is ready')) ready();
    });
    child.once('exit', () => failed(new Error(`nats-server ended: ${said}`)));
  });
  return {
    port,
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
