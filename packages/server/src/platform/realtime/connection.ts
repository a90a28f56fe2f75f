import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Session, TokenError } from '../http/auth/auth.ts';
import { type Command, type Disconnect, disconnects, errors, positionIn, readFrame } from './protocol.ts';
import type { Hub, Reader } from './hub.ts';
import { channelsOf } from './publisher.ts';

/** Dependencies of a connection. */
export interface ConnectionHost {
  hub: Hub;
  readToken(token: string): Promise<{ session: Session; expiresAt: Date } | TokenError>;
  /** False when the user has too many connections. */
  admitted(connection: Connection, userId: string): boolean;
  left(connection: Connection): void;
}

const PING_SECONDS = 25;
const PONG_SECONDS = 10;
const CONNECT_SECONDS = 10;
/** Bytes that may be buffered for a slow client before it is disconnected. */
const BACKLOG_BYTES = 1024 * 1024;
/** Limit of commands within a window; a page sends a handful. */
const COMMANDS_MAX = 200;
const WINDOW_MS = 10_000;
const VERSION = 'bidwell';

type Connect = NonNullable<Command['connect']>;
type Subscribe = NonNullable<Command['subscribe']>;

/** A websocket client, from its upgrade to its end. Its token determines its channels; it cannot choose others. */
export class Connection implements Reader {
  readonly #socket: WebSocket;
  /** The stream beneath the websocket, for frames that are already encoded. */
  readonly #wire: Duplex;
  readonly #host: ConnectionHost;
  readonly #client = randomUUID();
  #session: Session | null = null;
  /** Channels to which the client subscribed explicitly, in addition to the channels of its token. */
  readonly #subscribed = new Set<string>();
  /** Sessions that end while a token is being read, which may have found them alive; null while none is read. */
  #endedMeanwhile: Set<string> | null = null;
  #window = { startMs: 0, commands: 0 };
  #expiry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout;
  /** Commands get their replies in order, although verifying a token is asynchronous. */
  #queue: Promise<void> = Promise.resolve();
  /** Frames that wait for earlier ones. */
  #waiting = 0;

  constructor(socket: WebSocket, wire: Duplex, host: ConnectionHost) {
    this.#socket = socket;
    this.#wire = wire;
    this.#host = host;
    this.#heartbeat = setTimeout(() => this.end(disconnects.stale), CONNECT_SECONDS * 1000);
    socket.on('message', (data, isBinary) => {
      if (this.#waiting >= COMMANDS_MAX) return this.end(disconnects.tooManyRequests);
      this.#waiting += 1;
      this.#queue = this.#queue
        .finally(() => {
          this.#waiting -= 1;
        })
        .then(() => this.#receive(isBinary ? '' : textOf(data)))
        .catch(() => this.end(disconnects.badRequest));
    });
    socket.on('close', () => this.#evict());
    socket.on('error', () => socket.terminate());
  }

  /** Closes the connection if its session is one of those that have ended, also if its token is just being read. */
  sessionsEnded(sessionIds: ReadonlySet<string>): void {
    if (this.#session && sessionIds.has(this.#session.sessionId)) return this.end(disconnects.invalidToken);
    for (const sessionId of sessionIds) this.#endedMeanwhile?.add(sessionId);
  }

  /** Sends a text frame. */
  send(frame: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > BACKLOG_BYTES) this.end(disconnects.slow);
    else this.#socket.send(frame);
  }

  /** Writes a publication, encoded once for all subscribers. */
  write(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#wire.writableLength > BACKLOG_BYTES) this.end(disconnects.slow);
    else this.#wire.write(frame);
  }

  end({ code, reason }: Disconnect): void {
    this.#evict();
    this.#socket.close(code, reason);
    // A peer that does not respond to the close is disconnected.
    setTimeout(() => this.#socket.terminate(), 2000).unref();
  }

  #evict(): void {
    clearTimeout(this.#heartbeat);
    clearTimeout(this.#expiry);
    for (const channel of this.#session ? channelsOf(this.#session) : []) this.#host.hub.leave(channel, this);
    this.#host.left(this);
  }

  async #receive(frame: string): Promise<void> {
    const commands = readFrame(frame);
    if (!commands) return this.end(disconnects.badRequest);
    for (const command of commands) {
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      if (this.#isTooMuch()) return this.end(disconnects.tooManyRequests);
      await this.#respond(command);
    }
  }

  #isTooMuch(): boolean {
    const nowMs = Date.now();
    if (nowMs - this.#window.startMs > WINDOW_MS) this.#window = { startMs: nowMs, commands: 0 };
    this.#window.commands += 1;
    return this.#window.commands > COMMANDS_MAX;
  }

  async #respond(command: Command): Promise<void> {
    const { id } = command;
    if (id === undefined || id === 0)
      return this.#session ? this.#schedulePing() : this.end(disconnects.badRequest);
    if (command.connect) return this.#connect(id, command.connect);
    if (!this.#session) return this.end(disconnects.badRequest);
    if (command.refresh) return this.#refresh(id, command.refresh.token ?? '');
    if (command.subscribe) return this.#subscribe(id, command.subscribe, this.#session);
    if (command.unsubscribe) {
      this.#subscribed.delete(command.unsubscribe.channel);
      return this.#reply({ id, unsubscribe: {} });
    }
    const known = Object.keys(command).some((name) => name !== 'id');
    this.#reply({ id, error: known ? errors.notAvailable : errors.methodNotFound });
  }

  async #connect(id: number, { token = '', subs: known = {} }: Connect): Promise<void> {
    if (this.#session) return this.end(disconnects.badRequest);
    const ended = (this.#endedMeanwhile = new Set());
    const read = await this.#host.readToken(token);
    this.#endedMeanwhile = null;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    // On this error a client requests a new token.
    if (read === 'expired') return this.#reply({ id, error: errors.tokenExpired });
    if (read === 'invalid' || ended.has(read.session.sessionId)) return this.end(disconnects.invalidToken);
    if (!this.#host.admitted(this, read.session.userId)) return this.end(disconnects.connectionLimit);
    this.#session = read.session;
    const subs = Object.fromEntries(
      channelsOf(read.session).map((channel) => [
        channel,
        this.#host.hub.join(channel, this, positionIn(known[channel])),
      ]),
    );
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

  /**
   * Clients are subscribed to the channels of their token on connect; an explicit subscription returns the position, or
   * the missed publications.
   */
  #subscribe(id: number, request: Subscribe, session: Session): void {
    const { channel } = request;
    if (!channelsOf(session).includes(channel)) return this.#reply({ id, error: errors.permissionDenied });
    if (this.#subscribed.has(channel)) return this.#reply({ id, error: errors.alreadySubscribed });
    this.#subscribed.add(channel);
    this.#reply({ id, subscribe: this.#host.hub.join(channel, this, positionIn(request)) });
  }

  async #refresh(id: number, token: string): Promise<void> {
    const ended = (this.#endedMeanwhile = new Set());
    const read = await this.#host.readToken(token);
    this.#endedMeanwhile = null;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (read === 'expired') return this.#reply({ id, error: errors.tokenExpired });
    if (read === 'invalid' || ended.has(read.session.sessionId)) return this.end(disconnects.invalidToken);
    const { userId, companyId } = read.session;
    // The subscriptions stay with the company of the first token.
    if (userId !== this.#session?.userId || companyId !== this.#session.companyId)
      return this.end(disconnects.invalidToken);
    this.#session = read.session;
    this.#reply({
      id,
      refresh: { client: this.#client, version: VERSION, ...this.#expireAt(read.expiresAt) },
    });
  }

  #expireAt(expiresAt: Date): { expires: true; ttl: number } {
    const ttl = Math.max(1, Math.round((expiresAt.getTime() - Date.now()) / 1000));
    clearTimeout(this.#expiry);
    // The client refreshes before this; the grace period covers a slow network.
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
