import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { NodeMessage } from './nodes.ts';
import type { Nodes } from './nodes.ts';

/**
 * One subject for all messages: every process receives what the others publish, and selects what concerns its own pages.
 */
const SUBJECT = 'bidwell.live';
const RETRY_MS = 500;
const TIMEOUT_MS = 5000;
const PING_MS = 10_000;
/** A silently cut connection is detected after two pings without an answer. */
const UNNOTICED_MS = 4 * PING_MS;
/** Ended sessions that are queued while NATS is unavailable; each access token lives a quarter of an hour at most. */
const ENDINGS_MAX = 10_000;

/**
 * Connects to the other processes by NATS. While NATS is unavailable, pages connected to this process are still served; once it
 * is back, every process is notified that publications may have been missed.
 */
export async function openNats(url: string, log: Logger): Promise<Nodes> {
  const { connect } = await import('@nats-io/transport-node');
  const listeners: ((message: NodeMessage) => void)[] = [];
  const closing = new AbortController();
  let connection: NatsConnection | undefined;
  let isUp = false;
  let unpublished = false;
  let publishedMs = -Infinity;
  let endings: string[] = [];

  const onMessage = (message: NodeMessage): void => {
    for (const listener of listeners) listener(message);
  };
  const publish = (message: NodeMessage): void => {
    const isPublication = message.kind === 'publication';
    try {
      if (connection && isUp) {
        connection.publish(SUBJECT, JSON.stringify(message));
        if (isPublication) publishedMs = performance.now();
        return;
      }
    } catch (err) {
      log.error({ err }, 'publishing to NATS failed');
    }
    if (isPublication) unpublished = true;
    if (message.kind === 'ended') endings = [...endings, ...message.sessionIds].slice(-ENDINGS_MAX);
  };
  /** Connected: messages of the meantime were not received, and queued ones are sent now. */
  const up = (): void => {
    isUp = true;
    onMessage({ kind: 'missed' });
    const [ended, isUnpublished] = [endings, unpublished];
    endings = [];
    unpublished = false;
    if (ended.length > 0) publish({ kind: 'ended', sessionIds: ended });
    if (isUnpublished) publish({ kind: 'missed' });
  };
  const down = (): void => {
    if (!isUp) return;
    log.warn('NATS is unavailable: other processes receive no messages until it is back');
    isUp = false;
    // The connection may have been lost before that was detected.
    unpublished ||= performance.now() - publishedMs < UNNOTICED_MS;
  };

  /** Connects, and resolves when the connection has ended for good: closed, or refused by the server. */
  async function connectOnce(): Promise<void> {
    connection = await connect(optionsOf(url));
    if (closing.signal.aborted) return connection.close();
    connection.subscribe(SUBJECT, {
      callback(error, incoming) {
        const message = error ? null : read(incoming.string());
        if (message) onMessage(message);
      },
    });
    await connection.flush();
    up();
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') down();
      else if (status.type === 'reconnect') up();
      else if (status.type === 'error') log.error({ err: status.error }, 'NATS reported an error');
      else if (status.type === 'close') return;
    }
  }
  async function stayConnected(): Promise<void> {
    let isLogged = false;
    while (!closing.signal.aborted) {
      await connectOnce().catch((err: unknown) => {
        if (!isLogged) log.warn({ err }, 'cannot connect to NATS; retrying');
        isLogged = true;
      });
      down();
      await pause(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  void stayConnected();

  return {
    publish,
    listen: (listener) => void listeners.push(listener),
    async close() {
      closing.abort();
      isUp = false;
      // A connection that is still being made is closed once it is open.
      await connection?.close();
    },
  };
}

/**
 * Connection options from an address such as `nats://user:password@host:4222` or `tls://token@host`; several are
 * separated by commas.
 */
export function optionsOf(url: string): ConnectionOptions {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const { username, password, protocol } = addresses[0]!;
  const name = decodeURIComponent(username);
  return {
    servers: addresses.map(({ host }) => host),
    name: 'bidwell',
    // Publications of this process reach its own pages directly.
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
    // A process of another version may send messages that this one cannot read.
    return null;
  }
}
