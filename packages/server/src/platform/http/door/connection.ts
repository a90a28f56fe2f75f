import type { Socket } from 'node:net';
import { type Answer, Call, type CallConnection, refusalOf } from './door-call.ts';
import type { FrontRoute } from './call.ts';
import type { Arrivals } from './arrivals.ts';
import { HEAD_BYTES_MAX, readHead } from './read-head.ts';

/** How long a head may take, ms. */
const HEAD_MS_MAX = 60_000;
/** How long a client may take to close its side after the last answer, ms. */
const LINGER_MS_MAX = 1000;
/** Requests of a connection that wait for their answers; it is not read on meanwhile. No usual client has any. */
const WAITING_MAX = 16;
/** Bytes of answers that a client has not read; its requests are not read meanwhile. */
const UNREAD_BYTES_MAX = 65_536;

const EMPTY = Buffer.alloc(0);
/** The last byte of a head, and of each line of one. */
const LINE_END = 0x0a;
const ignore = (): void => {};

/** A route with the first bytes of its requests. */
export interface DoorRoute extends FrontRoute {
  readonly start: Buffer;
}

/** What a {@link Connection} needs of its door. */
export interface ConnectionDoor {
  /** The route of the request that begins at a position; null while too little of it has come, and undefined for none. */
  routeOf(bytes: Buffer, at: number): DoorRoute | null | undefined;
  /** Whether the server closes. */
  readonly isDraining: boolean;
  readonly arrivals: Pick<Arrivals, 'waitedMs' | 'pause'>;
  /** Passes a connection to the server, with bytes that were read of it. */
  passOn(connection: Connection, bytes: Buffer): void;
  /** Notes whether a connection waits for its client, which has a limited time. */
  setPartial(connection: Connection, isPartial: boolean): void;
  /** Drops a connection that is closed or passed on. */
  drop(connection: Connection): void;
}

/** A connection whose requests are read by a door. */
export class Connection implements CallConnection {
  readonly socket: Socket;
  readonly #door: ConnectionDoor;
  readonly #onData = (bytes: Buffer): void => this.#read(bytes);
  readonly #onEnd = (): void => this.#ended();
  readonly #onClose = (): void => this.#closed();
  readonly #onDrain = (): void => this.#continue();
  /** Bytes that were read and belong to no request yet. */
  #rest: Buffer = EMPTY;
  /** Whether they are a part of a head, which a further piece completes only with the end of a line. */
  #isHeadOpen = false;
  /** Requests without a complete answer, in their order. */
  readonly #waiting: Call[] = [];
  /** The request whose body is being received. */
  #receiving: Call | null = null;
  #isReading = false;
  /** Whether bytes have come behind the request that is being read. */
  #hasMore = false;
  /** Paused until answers are sent, or read by the client. */
  #isHeld = false;
  /** When the bytes were read that waited since for the answers to earlier requests; null for none. */
  #heldMs: number | null = null;
  /** The client sends no more requests, or has closed its side. */
  #hasLastRequest = false;
  #hasEnded = false;
  /** Nothing more is read: the connection closes after the answers that wait. */
  #isLast = false;
  #activeMs = performance.now();
  /** What is incomplete, and until when it has to be complete. */
  #partial: Call | 'head' | null = null;
  #deadlineMs = 0;
  /** Whether a request was read since that was looked at. */
  #hasReadHead = false;

  constructor(socket: Socket, door: ConnectionDoor) {
    this.socket = socket;
    this.#door = door;
    socket.on('error', ignore).on('data', this.#onData).on('drain', this.#onDrain);
    socket.on('end', this.#onEnd).on('close', this.#onClose);
  }

  /** While the server closes, a connection closes after the last request that it has sent so far, and reads no other one then. */
  closesAfter(call: Call): boolean {
    if (!this.#door.isDraining || this.#hasMore || this.#isHeld || this.#waiting.at(-1) !== call)
      return false;
    this.#hasLastRequest = true;
    return true;
  }

  /** Closes the connection unless it has a request. Afterwards it closes with its last answer. */
  closeIfIdle(): void {
    if (this.#waiting.length === 0 && this.#receiving === null && this.#rest.length === 0)
      this.socket.destroySoon();
  }

  /** Closes the connection if its last request came before a time. */
  closeIfIdleSince(sinceMs: number): void {
    if (this.#activeMs < sinceMs) this.socket.destroy();
  }

  /** Cuts the connection if a part of a request has waited for the rest too long. */
  cutIfLate(nowMs: number): void {
    if (nowMs < this.#deadlineMs) return;
    if (this.#isLast) this.socket.destroy();
    // What it has sent is read later.
    else if (this.socket.isPaused()) this.#deadlineMs = nowMs + (this.#receiving?.bodyMsMax ?? HEAD_MS_MAX);
    else if (this.#receiving) this.#refuseBody(this.#receiving, 408);
    else this.#refuse(408);
  }

  /** The longest that a request which is read now can have waited, ms. */
  waitedMs(): number {
    const waitedMs = this.#door.arrivals.waitedMs(this.socket);
    return this.#heldMs === null ? waitedMs : Math.max(waitedMs, performance.now() - this.#heldMs);
  }

  /** Leaves the connection unread for a while. */
  pause(): void {
    this.#door.arrivals.pause(this.socket);
  }

  /** Writes at once, before the answer: that a body may be sent. */
  write(text: string): void {
    if (!this.socket.destroyed) this.socket.write(text, 'latin1');
  }

  /** Sends the answers that have their turn. */
  flush(): void {
    while (this.#waiting.length > 0) {
      const { ready } = this.#waiting[0]!;
      if (ready === null) break;
      const call = this.#waiting.shift()!;
      this.#send(ready);
      call.sent();
      if (ready.isLast) return this.#finish();
    }
    if (this.#isLast && this.#waiting.length === 0) this.#finish();
    else if (!this.#isReading) this.#continue();
  }

  #send({ text, encoding, body }: Answer): void {
    const { socket } = this;
    if (socket.destroyed || socket.writableEnded) return;
    if (body === null) return void socket.write(text, encoding);
    socket.cork();
    socket.write(text, encoding);
    socket.write(body);
    socket.uncork();
  }

  #read(bytes: Buffer): void {
    if (this.#isLast) return;
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    // A head in pieces of a byte is not read from its beginning for each.
    if (this.#isHeadOpen && this.#rest.length < HEAD_BYTES_MAX && !bytes.includes(LINE_END)) return;
    this.#advance();
  }

  /** Reads on after answers were sent, where that was waited for. */
  #continue(): void {
    if (!this.#isHeld || this.#isFull()) return;
    this.#isHeld = false;
    this.socket.resume();
    this.#advance();
  }

  /** Reads the requests in the bytes that have come. */
  #advance(): void {
    const bytes = this.#rest;
    this.#isReading = true;
    this.#isHeadOpen = false;
    let at = 0;
    while (at < bytes.length && !this.#isLast) {
      const next = this.#receiving
        ? this.#receiveBody(this.#receiving, bytes, at)
        : this.#readRequest(bytes, at);
      if (next === null) break;
      at = next;
    }
    this.#isReading = false;
    this.#hasMore = false;
    if (!this.#isHeld) this.#heldMs = null;
    this.#rest = this.#isLast || at === bytes.length ? EMPTY : bytes.subarray(at);
    this.#follow();
  }

  /** Returns the position after a request, as far as it has come; null where it cannot be read yet. */
  #readRequest(bytes: Buffer, at: number): number | null {
    if (this.#hasLastRequest) {
      this.#isLast = true;
      return null;
    }
    if (this.#isFull()) return this.#hold();
    const route = this.#door.routeOf(bytes, at);
    if (route === undefined) return this.#passOn(bytes, at);
    if (route === null) return null;
    const head = readHead(bytes, at, at + route.method.length + 1, at + route.start.length);
    if (head === null) {
      this.#isHeadOpen = true;
      return null;
    }
    if (typeof head === 'number') return this.#refuse(head);
    // `100 Continue` between the answers to earlier requests would be taken for one of them.
    if (head.expectsContinue && this.#waiting.length > 0) return this.#hold();
    this.#activeMs = performance.now();
    this.#hasReadHead = true;
    const call = new Call(head, route, this);
    this.#waiting.push(call);
    this.#hasLastRequest = !head.keepsAlive;
    const end = call.receive(bytes, head.end);
    if (end < 0) return this.#refuseBody(call, 400);
    if (!call.isReceived) this.#receiving = call;
    this.#hasMore = end < bytes.length;
    route.respond(call);
    return end;
  }

  #receiveBody(call: Call, bytes: Buffer, at: number): number | null {
    const end = call.receive(bytes, at);
    if (end < 0) return this.#refuseBody(call, 400);
    if (call.isReceived) {
      this.#receiving = null;
      this.#hasMore = end < bytes.length;
      call.passBody();
    }
    return end;
  }

  /** Passes the connection to the server after the answers, which keep the order of their requests. */
  #passOn(bytes: Buffer, at: number): null {
    if (this.#waiting.length > 0) return this.#hold();
    const { socket } = this;
    socket.pause();
    socket.off('error', ignore).off('data', this.#onData).off('drain', this.#onDrain);
    socket.off('end', this.#onEnd).off('close', this.#onClose);
    this.#isLast = true;
    this.#door.passOn(this, bytes.subarray(at));
    return null;
  }

  /** Stops reading until answers are sent, or read by the client. */
  #hold(): null {
    this.#isHeld = true;
    this.#heldMs ??= performance.now();
    this.socket.pause();
    return null;
  }

  #isFull(): boolean {
    return this.#waiting.length >= WAITING_MAX || this.socket.writableLength > UNREAD_BYTES_MAX;
  }

  /** Closes the connection after an answer that says why its next request is not read. */
  #refuse(status: number): null {
    this.#isLast = true;
    this.#waiting.push(Call.refused(refusalOf(status), this));
    this.flush();
    return null;
  }

  /** Like {@link #refuse}, for the body of a request that may be answered already. */
  #refuseBody(call: Call, status: number): null {
    this.#isLast = true;
    this.#receiving = null;
    const wasAnswered = call.isAnswered;
    call.abort();
    if (wasAnswered) this.#finish();
    else call.refuse(refusalOf(status));
    return null;
  }

  /** Ends our side after the last answer; the client has a second to read it. */
  #finish(): void {
    this.#isLast = true;
    this.#rest = EMPTY;
    if (this.socket.destroyed) return;
    this.socket.end();
    this.socket.resume();
    this.#deadlineMs = performance.now() + LINGER_MS_MAX;
    this.#door.setPartial(this, true);
  }

  /** After bytes were read: what the connection waits for. */
  #follow(): void {
    if (this.#isLast) return;
    if (this.#hasEnded && !this.#isHeld) return this.#endAfterAnswers();
    const partial = this.#receiving ?? (this.#rest.length > 0 && !this.#isHeld ? 'head' : null);
    // The head of another request has as much time as that of the one before.
    const isOther = partial === 'head' && this.#hasReadHead;
    this.#hasReadHead = false;
    if (partial === this.#partial && !isOther) return;
    this.#partial = partial;
    if (partial !== null)
      this.#deadlineMs = performance.now() + (partial === 'head' ? HEAD_MS_MAX : partial.bodyMsMax);
    this.#door.setPartial(this, partial !== null);
  }

  /** The client sends nothing more; requests of it may wait to be read. */
  #ended(): void {
    this.#hasEnded = true;
    this.#follow();
  }

  #endAfterAnswers(): void {
    if (this.#receiving !== null) return void this.socket.destroy();
    this.#isLast = true;
    if (this.#waiting.length === 0) this.#finish();
  }

  #closed(): void {
    this.#isLast = true;
    this.#door.drop(this);
    this.#receiving?.abort();
    for (const call of this.#waiting.splice(0)) call.gone();
  }
}
