import { randomUUID } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import type { Session } from '../http/auth.ts';
import type { Command, Disconnect } from './protocol.ts';
import { disconnects, errors, readFrame } from './protocol.ts';

/** What a connection needs of the server that holds it. */
export interface ConnectionHost {
  readToken(token: string): Promise<{ session: Session; expiresAt: Date } | null>;
  joined(connection: Connection, channels: string[]): void;
  left(connection: Connection): void;
}

const PING_SECONDS = 25;
const PONG_SECONDS = 10;
const CONNECT_SECONDS = 10;
/** Bytes that may wait for a slow reader before it is dropped. */
const BACKLOG_BYTES = 1024 * 1024;
const VERSION = 'bidwell';

/** The channels of a session: its company's and its own. */
export function channelsOf(session: Session): string[] {
  return [`company:${session.companyId}`, `user:${session.userId}`];
}

/** One client of the websocket, from its upgrade to its end. The token decides its channels; it cannot choose others. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #host: ConnectionHost;
  readonly #client = randomUUID();
  #session: Session | null = null;
  #expiry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout;
  /** Commands are answered in their order, although reading a token takes a moment. */
  #queue: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, host: ConnectionHost) {
    this.#socket = socket;
    this.#host = host;
    this.#heartbeat = setTimeout(() => this.end(disconnects.stale), CONNECT_SECONDS * 1000);
    socket.on('message', (data, isBinary) => {
      this.#queue = this.#queue
        .then(() => this.#receive(isBinary ? '' : textOf(data)))
        .catch(() => this.end(disconnects.badRequest));
    });
    socket.on('close', () => this.#forget());
    socket.on('error', () => socket.terminate());
  }

  /** Sends a frame that is already JSON. */
  send(frame: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > BACKLOG_BYTES) this.end(disconnects.slow);
    else this.#socket.send(frame);
  }

  end({ code, reason }: Disconnect): void {
    this.#forget();
    this.#socket.close(code, reason);
    // A peer that does not answer the close is cut off.
    setTimeout(() => this.#socket.terminate(), 2000).unref();
  }

  #forget(): void {
    clearTimeout(this.#heartbeat);
    clearTimeout(this.#expiry);
    this.#host.left(this);
  }

  async #receive(frame: string): Promise<void> {
    const commands = readFrame(frame);
    if (!commands) return this.end(disconnects.badRequest);
    for (const command of commands) {
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      await this.#answer(command);
    }
  }

  async #answer(command: Command): Promise<void> {
    const { id } = command;
    if (id === undefined || id === 0)
      return this.#session ? this.#schedulePing() : this.end(disconnects.badRequest);
    if (command.connect) return this.#connect(id, command.connect.token ?? '');
    if (!this.#session) return this.end(disconnects.badRequest);
    if (command.refresh) return this.#refresh(id, command.refresh.token ?? '');
    if (command.subscribe) {
      const mine = channelsOf(this.#session).includes(command.subscribe.channel);
      return this.#reply({ id, error: mine ? errors.alreadySubscribed : errors.permissionDenied });
    }
    if (command.unsubscribe) return this.#reply({ id, error: errors.permissionDenied });
    this.#reply({ id, error: errors.methodNotFound });
  }

  async #connect(id: number, token: string): Promise<void> {
    if (this.#session) return this.end(disconnects.badRequest);
    const read = await this.#host.readToken(token);
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    // A client answers this error by asking for a new token; it cannot be told from a wrong one without the secret.
    if (!read)
      return token ? this.#reply({ id, error: errors.tokenExpired }) : this.end(disconnects.invalidToken);
    this.#session = read.session;
    const channels = channelsOf(read.session);
    this.#host.joined(this, channels);
    const subs = Object.fromEntries(channels.map((channel) => [channel, {}]));
    const connect = {
      client: this.#client,
      version: VERSION,
      ...this.#expireAt(read.expiresAt),
      subs,
      ping: PING_SECONDS,
      pong: true,
    };
    this.#reply({ id, connect });
    this.#schedulePing();
  }

  async #refresh(id: number, token: string): Promise<void> {
    const read = await this.#host.readToken(token);
    if (!read) return this.#reply({ id, error: errors.tokenExpired });
    if (read.session.userId !== this.#session?.userId) return this.end(disconnects.invalidToken);
    this.#reply({
      id,
      refresh: { client: this.#client, version: VERSION, ...this.#expireAt(read.expiresAt) },
    });
  }

  #expireAt(expiresAt: Date): { expires: true; ttl: number } {
    const ttl = Math.max(1, Math.round((expiresAt.getTime() - Date.now()) / 1000));
    clearTimeout(this.#expiry);
    // The client refreshes before; some seconds of grace cover a slow network.
    this.#expiry = setTimeout(() => this.end(disconnects.expired), (ttl + 25) * 1000);
    return { expires: true, ttl };
  }

  #schedulePing(): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => {
      this.send('{}');
      this.#heartbeat = setTimeout(() => this.end(disconnects.noPong), PONG_SECONDS * 1000);
    }, PING_SECONDS * 1000);
  }

  #reply(reply: object): void {
    this.send(JSON.stringify(reply));
  }
}

function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : '';
}
