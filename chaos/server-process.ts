import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** The secret with which the load signs its notices. */
export const SIGNING_SECRET = 'the same secret in every life of the server';
/** The token of the operator of servers that a scenario configures. */
export const OPERATOR_TOKEN = 'operator-of-the-chaos-with-32-characters';

const READY_WITHIN_MS = 180_000;
const OUTPUT_CHARACTERS = 8000;

/** A server in a child process. */
export interface ServerProcess {
  child: ChildProcess;
  port: number;
  /** The last part of its output. */
  output(): string;
  /** Resolves to its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  /** Sends the signal and resolves to the exit code, or the signal that ended it. */
  end(signal: 'SIGABRT' | 'SIGKILL' | 'SIGTERM'): Promise<number | string>;
}

/** A free port. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Spawns a server without waiting until it is ready. It is killed when the signal aborts; throws if it has aborted. */
export function spawnServer(
  program: string,
  port: number,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): ServerProcess {
  signal.throwIfAborted();
  const typescript = program.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...typescript, program], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      CAPTCHA: 'off',
      MODERATION: 'auto',
      LOG_LEVEL: 'error',
      PORT: String(port),
      SIGNING_SECRET,
      UV_THREADPOOL_SIZE: '16',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS)));
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  signal.addEventListener('abort', endWithUs);
  const ended = once(child, 'exit').then(([code, endedBy]) => {
    process.off('exit', endWithUs);
    signal.removeEventListener('abort', endWithUs);
    return (code ?? endedBy) as number | string;
  });
  return {
    child,
    port,
    output: () => output,
    ended,
    end(by) {
      child.kill(by);
      return ended;
    },
  };
}

/**
 * Starts a server and resolves once it is ready. Throws with its output if it exits before that. It is killed when the
 * signal aborts.
 */
export async function startServer(
  program: string,
  port: number,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ServerProcess> {
  const server = spawnServer(program, port, environment, signal);
  const startedMs = performance.now();
  while (performance.now() - startedMs < READY_WITHIN_MS) {
    if (server.child.exitCode !== null || server.child.signalCode !== null)
      throw new Error(`The server ended: ${server.output()}`);
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await ready?.arrayBuffer();
    if (ready?.status === 200) return server;
    await wait(25);
  }
  await server.end('SIGKILL');
  throw new Error(`The server was not ready in ${READY_WITHIN_MS / 1000} s: ${server.output()}`);
}
