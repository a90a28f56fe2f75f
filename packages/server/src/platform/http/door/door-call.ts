import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Span } from '@opentelemetry/api';
import { beginRequestSpan, endRequestSpan } from '../../telemetry/request-span.ts';
import { NOSNIFF } from '../raw-handler.ts';
import { type FrontRoute, type RawBody, type RawCall, encodingOf } from './call.ts';
import { ChunkReader } from './read-chunks.ts';
import { CHUNKED, type Head } from './read-head.ts';

/** What a {@link Call} needs of its connection. */
export interface CallConnection {
  readonly socket: Socket;
  /** Whether the connection closes after the answer to a request; it reads no other one then. */
  closesAfter(call: Call): boolean;
  /** Writes at once, before the answer. */
  write(text: string): void;
  /** Sends the answers that have their turn. */
  flush(): void;
  /** The longest that a request which is read now can have waited, ms. */
  waitedMs(): number;
  /** Leaves the connection unread for a while. */
  pause(): void;
}

/** An answer as it is sent. */
export interface Answer {
  readonly status: number;
  /** The head, with the body where that is a text. */
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly body: Buffer | null;
  /** Whether the connection closes after it. */
  readonly isLast: boolean;
}

/** The longest body that is copied behind its head. */
const COPIED_BYTES_MAX = 256;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const NOSNIFF_LINE = `${NOSNIFF.join(': ')}\r\n`;
const NO_CONTENT: Answer = {
  status: 204,
  text: 'HTTP/1.1 204 No Content\r\n\r\n',
  encoding: 'latin1',
  body: null,
  isLast: false,
};
const CLOSE = 'connection: close\r\n';
const KEEP_ALIVE = 'connection: keep-alive\r\n';
const NO_HEAD: Head = {
  url: '',
  end: 0,
  minor: 1,
  bodyBytes: 0,
  keepsAlive: false,
  expectsContinue: false,
  headers: {},
};

/** An answer that closes the connection, for a request that is not read. */
export function refusalOf(status: number): Answer {
  const text = `${statusLine(status)}${CLOSE}content-length: 0\r\n\r\n`;
  return { status, text, encoding: 'latin1', body: null, isLast: true };
}

/** What a call needs of its route. */
type CallRoute = Pick<FrontRoute, 'method' | 'template' | 'bodyBytesMax' | 'bodyMsMax'>;
const NO_ROUTE: CallRoute = { method: 'POST', template: '', bodyBytesMax: 0, bodyMsMax: 0 };

/** A request that a {@link Connection} has read, from its head on. */
export class Call implements RawCall {
  readonly #head: Head;
  readonly #route: CallRoute;
  readonly #connection: CallConnection;
  readonly #span: Span | null;
  readonly #chunks: ChunkReader | null;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #passBody: ((body: RawBody) => void) | null = null;
  #isAborted = false;
  #isGone = false;
  #wasContinued = false;
  #status = 0;
  #answer: Answer | null = null;
  #pauses = false;

  constructor(head: Head, route: CallRoute, connection: CallConnection) {
    this.#head = head;
    this.#route = route;
    this.#connection = connection;
    this.#chunks = head.bodyBytes === CHUNKED ? new ChunkReader(route.bodyBytesMax) : null;
    this.#span =
      head === NO_HEAD
        ? null
        : beginRequestSpan({ method: route.method, headers: head.headers }, route.template);
  }

  /** A request that was not read, with its answer. */
  static refused(answer: Answer, connection: CallConnection): Call {
    const call = new Call(NO_HEAD, NO_ROUTE, connection);
    call.#answer = answer;
    return call;
  }

  get method(): string {
    return this.#route.method;
  }

  get url(): string {
    return this.#head.url;
  }

  /** How long the body may take, ms. */
  get bodyMsMax(): number {
    return this.#route.bodyMsMax;
  }

  get socket(): Socket {
    return this.#connection.socket;
  }

  get isAnswered(): boolean {
    return this.#answer !== null;
  }

  /** What is sent when it is the request's turn; null until it is answered. */
  get ready(): Answer | null {
    return this.#answer;
  }

  /** Whether the body has come whole. */
  get isReceived(): boolean {
    return this.#chunks ? this.#chunks.isDone : this.#bytes === this.#head.bodyBytes;
  }

  header(name: string): string | undefined {
    return this.#head.headers[name];
  }

  body(done: (body: RawBody) => void): void {
    this.#passBody = done;
    if (this.isReceived || this.#isTooLarge() || this.#isAborted) return this.passBody();
    if (!this.#head.expectsContinue || this.#bytes > 0 || this.#wasContinued) return;
    this.#wasContinued = true;
    this.#connection.write(CONTINUE);
  }

  answer(status: number, headers: readonly string[], body: string | Buffer | null): void {
    if (this.#isGone || this.#answer !== null) return;
    this.#status = status;
    const isLast =
      !this.#head.keepsAlive ||
      this.#connection.closesAfter(this) ||
      (!this.isReceived && (this.#isTooLarge() || (this.#head.expectsContinue && !this.#wasContinued)));
    this.#answer = answerOf(status, headers, body, { isLast, minor: this.#head.minor });
    this.#connection.flush();
  }

  get waitedMs(): number {
    return this.#connection.waitedMs();
  }

  pauseAfterwards(): void {
    this.#pauses = true;
  }

  /** Takes the bytes of the body from a position. Returns the position after them; -1 where they are not of a body. */
  receive(bytes: Buffer, at: number): number {
    if (this.#chunks) {
      const end = this.#chunks.read(bytes, at);
      if (this.#isTooLarge()) this.passBody();
      return end;
    }
    const end = Math.min(bytes.length, at + this.#head.bodyBytes - this.#bytes);
    this.#bytes += end - at;
    if (end > at && this.#answer === null && !this.#isTooLarge()) this.#parts.push(bytes.subarray(at, end));
    return end;
  }

  /** Passes the body on, as far as it is waited for. */
  passBody(): void {
    const pass = this.#passBody;
    this.#passBody = null;
    if (pass === null) return;
    if (this.#isAborted) pass('aborted');
    else if (this.#isTooLarge()) pass('too-large');
    else if (this.#chunks) pass(this.#chunks.body());
    else pass(this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts));
  }

  /** No more of the body comes. */
  abort(): void {
    this.#isAborted = true;
    this.passBody();
  }

  /** Answers a request whose body cannot be read. */
  refuse(refusal: Answer): void {
    this.#status = refusal.status;
    this.#answer = refusal;
    this.#connection.flush();
  }

  /** The answer was handed to the connection. */
  sent(): void {
    this.#end();
    if (this.#pauses) this.#connection.pause();
  }

  /** The client has closed the connection. */
  gone(): void {
    this.#isGone = true;
    this.#end();
  }

  #end(): void {
    if (this.#span) endRequestSpan(this.#span, this.#status);
  }

  #isTooLarge(): boolean {
    const bytes = this.#chunks ? this.#chunks.bytes : this.#head.bodyBytes;
    return bytes > this.#route.bodyBytesMax;
  }
}

function answerOf(
  status: number,
  headers: readonly string[],
  body: string | Buffer | null,
  { isLast, minor }: { isLast: boolean; minor: 0 | 1 },
): Answer {
  const isUsual = !isLast && minor === 1;
  if (status === 204 && headers.length === 0 && isUsual) return NO_CONTENT;
  let head = statusLine(status);
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  if (!isUsual) head += isLast ? CLOSE : KEEP_ALIVE;
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  if (status !== 204) head += `${NOSNIFF_LINE}content-length: ${bytes}\r\n`;
  head += '\r\n';
  // Written at once: two writes take longer than the copy of a small body.
  if (body instanceof Buffer && bytes <= COPIED_BYTES_MAX)
    return { status, text: head + body.toString('latin1'), encoding: 'latin1', body: null, isLast };
  if (typeof body !== 'string') return { status, text: head, encoding: 'latin1', body, isLast };
  return { status, text: head + body, encoding: encodingOf(body, bytes), body: null, isLast };
}

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
}
