import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { NodeMessage } from './nodes.ts';
import type { Nodes } from './nodes.ts';

/** One subject for all: every process hears what the others publish, and keeps what is for pages connected to it. */
const SUBJECT = 'bidwell.live';
const RETRY_MS = 500;
const TIMEOUT_MS = 5000;
const PING_MS = 10_000;
/** A line that is cut without a word is noticed when two pings had no answer. */
const UNNOTICED_MS = 4 * PING_MS;
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
  let toldMs = -Infinity;
  let endings: string[] = [];

  const hear = (message: NodeMessage): void => {
    for (const listener of listeners) listener(message);
  };
  const tell = (message: NodeMessage): void => {
    const isPublication = message.kind === 'publication';
    try {
      if (connection && isUp) {
        connection.publish(SUBJECT, JSON.stringify(message));
        if (isPublication) toldMs = performance.now();
        return;
      }
    } catch (err) {
      log.error({ err }, 'NATS did not take a message');
    }
    if (isPublication) untold = true;
    if (message.kind === 'ended') endings = [...endings, ...message.sessionIds].slice(-ENDINGS_MAX);
  };
  /** The line is there: whatever was said meanwhile did not come here, and what could not be said is said now. */
  const up = (): void => {
    isUp = true;
    hear({ kind: 'missed' });
    const [ended, isUntold] = [endings, untold];
    endings = [];
    untold = false;
    if (ended.length > 0) tell({ kind: 'ended', sessionIds: ended });
    if (isUntold) tell({ kind: 'missed' });
  };
  const down = (): void => {
    if (!isUp) return;
    log.warn('NATS is away; other processes learn nothing until it is back');
    isUp = false;
    // It may have been away before that was noticed.
    untold ||= performance.now() - toldMs < UNNOTICED_MS;
  };

  /** Connects, and resolves when the connection is over for good: closed, or refused by the server. */
  async function connectOnce(): Promise<void> {
    connection = await connect(optionsOf(url));
    if (closing.signal.aborted) return connection.close();
    connection.subscribe(SUBJECT, {
      callback(error, incoming) {
        const message = error ? null : read(incoming.string());
        if (message) hear(message);
      },
    });
    await connection.flush();
    up();
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') down();
      else if (status.type === 'reconnect') up();
      else if (status.type === 'error') log.error({ err: status.error }, 'NATS refuses something');
      else if (status.type === 'close') return;
    }
  }
  async function stayConnected(): Promise<void> {
    let told = false;
    while (!closing.signal.aborted) {
      await connectOnce().catch((err: unknown) => {
        if (!told) log.warn({ err }, 'NATS cannot be reached; it is tried again and again');
        told = true;
      });
      down();
      await pause(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  void stayConnected();

  return {
    tell,
    listen: (listener) => void listeners.push(listener),
    async close() {
      closing.abort();
      isUp = false;
      // One that is being made is closed once it is there.
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
    pingInterval: PING_MS,
    maxPingOut: 2,
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
