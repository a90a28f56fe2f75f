import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Bus } from './bus.ts';

const RETRY_MS = 500;
const TIMEOUT_MS = 5000;
const FLUSH_MS = 500;
const PING_MS = 2000;
/** A silently cut connection is detected after two pings without a response, so within this time. */
export const UNNOTICED_MS = 4 * PING_MS;

/** The process's one connection to NATS, which is made again whenever it is lost. */
export interface Nats extends Bus {
  /** The open connection, for JetStream; null while NATS is unavailable. */
  current(): NatsConnection | null;
  /** Calls `listener` when a lost connection is detected. */
  onDown(listener: () => void): void;
  close(): Promise<void>;
}

type Subscription = Parameters<Nats['subscribe']>;

/** Starts to connect in the background. `url` is as in {@link optionsOf}. */
export function openNats(url: string, log: Logger): Nats {
  const closing = new AbortController();
  const subscriptions: Subscription[] = [];
  const listeners = { up: [] as (() => void)[], down: [] as (() => void)[] };
  let connection: NatsConnection | undefined;
  let isUp = false;

  const subscribeNow = (to: NatsConnection, [subject, listener]: Subscription): void => {
    to.subscribe(subject, {
      callback(error, message) {
        if (error) return;
        try {
          listener(message.data);
        } catch (err) {
          log.error({ err, subject }, 'a message of another process could not be handled');
        }
      },
    });
  };
  const up = (): void => {
    isUp = true;
    for (const listener of listeners.up) listener();
  };
  const down = (): void => {
    if (!isUp) return;
    isUp = false;
    log.warn('NATS is unavailable: other processes receive no messages until it is back');
    for (const listener of listeners.down) listener();
  };

  /** Connects, and resolves when the connection has ended for good: closed, or rejected by the server. */
  async function connectOnce(): Promise<void> {
    const { connect } = await import('@nats-io/transport-node');
    connection = await connect(optionsOf(url));
    if (closing.signal.aborted) return connection.close();
    try {
      for (const subscription of subscriptions) subscribeNow(connection, subscription);
      await connection.flush();
      up();
      for await (const status of connection.status()) {
        if (status.type === 'disconnect') down();
        else if (status.type === 'reconnect') up();
        else if (status.type === 'error') log.error({ err: status.error }, 'NATS reported an error');
        else if (status.type === 'close') return;
      }
    } finally {
      // It would reconnect by itself, in addition to the next one.
      await connection.close();
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
      connection = undefined;
      await pause(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  void stayConnected();

  return {
    isUp: () => isUp,
    current: () => (isUp ? (connection ?? null) : null),
    publish(subject, payload) {
      if (!connection || !isUp) return false;
      try {
        connection.publish(subject, payload);
        return true;
      } catch (err) {
        log.error({ err }, 'publishing to NATS failed');
        return false;
      }
    },
    subscribe(...subscription) {
      subscriptions.push(subscription);
      if (connection && !connection.isClosed()) subscribeNow(connection, subscription);
    },
    onUp(listener) {
      listeners.up.push(listener);
      if (isUp) listener();
    },
    onDown: (listener) => void listeners.down.push(listener),
    async close() {
      closing.abort();
      // The last messages are sent, unless the server does not respond.
      if (isUp)
        await Promise.race([connection?.flush(), pause(FLUSH_MS, undefined, { ref: false })]).catch(() => {});
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
    // A process's own messages reach its listeners directly.
    noEcho: true,
    timeout: TIMEOUT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    ...(protocol === 'tls:' && { tls: {} }),
    // A user may have its own inboxes, so that its permissions exclude the responses to others.
    ...(password && /^[\w-]+$/.test(name) && { inboxPrefix: `_INBOX.${name}` }),
    ...(password ? { user: name, pass: decodeURIComponent(password) } : name && { token: name }),
  };
}
