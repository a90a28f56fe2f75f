import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { NOSNIFF, rawHeader } from '../raw-handler.ts';
import type { Arrivals } from './arrivals.ts';

/** A body that is read whole; 'too-large' beyond the limit, 'aborted' if the client disconnected first. */
export type RawBody = Buffer | 'too-large' | 'aborted';

/** A request that is answered in front of the router, whichever way it was read. */
export interface RawCall {
  readonly method: string;
  /** The target of the request. */
  readonly url: string;
  /** The connection; null for an injected request. */
  readonly socket: Socket | null;
  readonly isAnswered: boolean;
  /** The longest that it can have waited unread, ms, as it is passed on; null for an injected request, which cannot wait. */
  readonly waitedMs: number | null;
  /** The value of a header by its name in lower case; several are joined. */
  header(name: string): string | undefined;
  /** Passes on the whole body, as it was sent. Call it once. */
  body(done: (body: RawBody) => void): void;
  /** Answers with a body, or without one if it is null. `headers` are names and values in turns. A body that nothing reads is dropped. */
  answer(status: number, headers: readonly string[], body: string | Buffer | null): void;
  /** Leaves the connection unread for a while once the request is answered. Call it before. */
  pauseAfterwards(): void;
}

/** A route whose requests are answered in front of the router, without the server's hooks: one of those with by far the most requests. */
export interface FrontRoute {
  /** `GET` includes `HEAD`. */
  readonly method: 'GET' | 'POST';
  /** Addresses begin with this. */
  readonly prefix: string;
  /** Where given, the next part of the path is one of these, and another follows. */
  readonly kinds?: ReadonlySet<string>;
  /** Template of its addresses, for traces. */
  readonly template: string;
  /** The longest body that is read, bytes as sent. */
  readonly bodyBytesMax: number;
  /** How long a body may take, ms. */
  readonly bodyMsMax: number;
  /** Answers a request, at once or later. Never throws. */
  readonly respond: (call: RawCall) => void;
}

/** The {@link RawCall} of a request that node:http has read. */
export class HttpCall implements RawCall {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #bodyBytesMax: number;
  readonly #arrivals: Arrivals;

  /** `bodyBytesMax` is the length of a body from which it is not read on. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { bodyBytesMax, arrivals }: { bodyBytesMax: number; arrivals: Arrivals },
  ) {
    this.#request = request;
    this.#response = response;
    this.#bodyBytesMax = bodyBytesMax;
    this.#arrivals = arrivals;
  }

  get waitedMs(): number | null {
    const { socket } = this;
    return socket && this.#arrivals.waitedMs(socket);
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  get url(): string {
    return this.#request.url ?? '';
  }

  get socket(): Socket | null {
    const { socket } = this.#request;
    return socket instanceof Socket ? socket : null;
  }

  get isAnswered(): boolean {
    return this.#response.headersSent;
  }

  header(name: string): string | undefined {
    return rawHeader(this.#request, name);
  }

  body(done: (body: RawBody) => void): void {
    const request = this.#request;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isDone = false;
    const finish = (body: RawBody): void => {
      if (isDone) return;
      isDone = true;
      done(body);
    };
    const end = (): void => finish(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    const collect = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= this.#bodyBytesMax) return void chunks.push(chunk);
      request.off('data', collect).off('end', end);
      request.resume();
      finish('too-large');
    };
    request.on('data', collect).on('end', end);
    request.on('error', () => finish('aborted'));
  }

  answer(status: number, headers: readonly string[], body: string | Buffer | null): void {
    const length = body === null ? 0 : Buffer.byteLength(body);
    const lengths = status === 204 ? [] : ['content-length', String(length)];
    // The rest of a body that is too long is not waited for.
    const closes = status === 413 ? ['connection', 'close'] : [];
    this.#response.writeHead(status, [...NOSNIFF, ...headers, ...lengths, ...closes]);
    if (body === null) this.#response.end();
    // A text is written together with the headers.
    else if (typeof body === 'string') this.#response.end(body, encodingOf(body, length));
    else this.#response.end(body);
  }

  pauseAfterwards(): void {
    const { socket } = this;
    // After Node.js has dropped the rest of the request, for which it resumes reading.
    if (socket) this.#response.once('finish', () => process.nextTick(() => this.#arrivals.pause(socket)));
  }
}

/** The encoding of a text in `length` bytes of UTF-8. ASCII is the same in Latin-1, which takes less time to encode. */
export function encodingOf(text: string, length: number): 'latin1' | 'utf8' {
  return length === text.length ? 'latin1' : 'utf8';
}
