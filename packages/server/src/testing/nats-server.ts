import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const paths = [
  process.env['NATS_SERVER_PATH'],
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
];

/**
 * Starts a NATS server on a free port or the given one, from NATS_SERVER_PATH or the path of a system package; null if
 * there is none.
 */
export async function natsServer(
  givenPort?: number,
): Promise<{ port: number; stop(): Promise<void> } | null> {
  const program = paths.find((path) => path && existsSync(path));
  if (!program) return null;
  const port = givenPort ?? (await freePort());
  const child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], {
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
