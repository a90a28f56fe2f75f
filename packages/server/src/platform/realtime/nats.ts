import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { NodeMessage } from './nodes.ts';
import type { Nodes } from './nodes.ts';

/** One subject for all: every process hears what the others publish, and keeps what is for pages connected to it. */
const SUBJECT = 'bidwell.live';
const RETRY_MS = 500;
const TIMEOUT_MS = 5000;
/** Sessions that ended while nobody could be told; each access token lives a quarter of an hour at most. */
const ENDINGS_MAX = 10_000;

/**
 * The other processes, by NATS. A server that is away does not hold this one up: pages connected here are served on, and
 * once it is back everyone is told that something may have been missed.
 */
export async function openNats(url: string, log: Logger): Promise<Nodes> {
  const { connect } = await import('@nats-io/transport-node');
  const listeners: ((message: NodeMessage) => void)[] = [];
  const closing = new AbortController();
  let connection: NatsConnection | undefined;
  let isUp = false;
  let untold = false;
  let endings: string[] = [];

  const hear = (message: NodeMessage): void => {
    for (const listener of listeners) listener(message);
  };
  const tell = (message: NodeMessage): void => {
    if (connection && isUp) return connection.publish(SUBJECT, JSON.stringify(message));
    untold = true;
    if (message.kind === 'ended') endings = [...endings, ...message.sessionIds].slice(-ENDINGS_MAX);
  };
  /** The line is there: what could not be said is said, as far as it still matters. */
  const up = (): void => {
    isUp = true;
    if (endings.length > 0) tell({ kind: 'ended', sessionIds: endings });
    if (untold) tell({ kind: 'missed' });
    endings = [];
    untold = false;
  };

  async function open(): Promise<void> {
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      try {
        connection = await connect(optionsOf(url));
        break;
      } catch (err) {
        if (attempt === 1) log.warn({ err }, 'NATS cannot be reached; it is tried again and again');
        await pause(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
    if (!connection) return;
    connection.subscribe(SUBJECT, {
      callback(error, incoming) {
        const message = error ? null : read(incoming.string());
        if (message) hear(message);
      },
    });
    await connection.flush();
    up();
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        isUp = false;
        log.warn('NATS is away; other processes learn nothing until it is back');
      } else if (type === 'reconnect') {
        // Whatever the others said meanwhile did not come here.
        hear({ kind: 'missed' });
        up();
      }
    }
  }
  const opened = open().catch((err: unknown) =>
    log.error({ err }, 'the connection to NATS is lost for good'),
  );

  return {
    tell,
    listen: (listener) => void listeners.push(listener),
    async close() {
      closing.abort();
      isUp = false;
      await connection?.close();
      await opened;
      // It may have come about just now.
      await connection?.close();
    },
  };
}

/** The options of an address such as `nats://user:password@host:4222` or `tls://token@host`; several with commas. */
export function optionsOf(url: string): ConnectionOptions {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const { username, password, protocol } = addresses[0]!;
  const name = decodeURIComponent(username);
  return {
    servers: addresses.map(({ host }) => host),
    name: 'bidwell',
    // What this process publishes, its own pages have already.
    noEcho: true,
    timeout: TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    ...(protocol === 'tls:' && { tls: {} }),
    ...(password ? { user: name, pass: decodeURIComponent(password) } : name && { token: name }),
  };
}

function read(text: string): NodeMessage | null {
  try {
    return NodeMessage.parse(JSON.parse(text));
  } catch {
    // A process of another version may say what this one does not know.
    return null;
  }
}
