import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';

/** A complete response. */
export interface HttpResponse {
  status: number;
  location: string | null;
  text: string;
  /** Its `content-encoding`; '' without one. */
  encoding: string;
}

/** An HTTP client with keep-alive that follows no redirects and limits the time and size of responses. */
export interface HttpClient {
  get(url: string, headers?: Record<string, string>): Promise<HttpResponse>;
  post(url: string, body: Body, options?: PostOptions): Promise<HttpResponse>;
  close(): Promise<void>;
}

type Body = string | Buffer | Readable;

export interface PostOptions {
  headers?: Record<string, string>;
  /** Timeout in milliseconds, shorter than the client's. */
  timeoutMs?: number;
}

/** The response did not arrive within the timeout. */
export class TimedOut extends Error {}

const RESPONSE_BYTES_MAX = 2 * 1024 * 1024;

/** `timeoutMs` limits a whole call, from connecting to the last byte. */
export function createHttpClient({
  timeoutMs,
  connections,
}: {
  timeoutMs: number;
  connections: number;
}): HttpClient {
  const dispatcher = new Agent({
    connections,
    connect: { timeout: timeoutMs },
    maxResponseSize: RESPONSE_BYTES_MAX,
  });

  async function send(
    url: string,
    options: { method: 'GET' | 'POST'; body?: Body; headers?: Record<string, string> },
    limitMs: number,
  ): Promise<HttpResponse> {
    const signal = AbortSignal.timeout(limitMs);
    try {
      const { statusCode, headers, body } = await request(url, { ...options, dispatcher, signal });
      const location = headers['location'];
      const encoding = String(headers['content-encoding'] ?? '');
      return {
        status: statusCode,
        location: typeof location === 'string' ? location : null,
        text: encoding === 'gzip' ? await unzipped(body) : await body.text(),
        encoding,
      };
    } catch (error) {
      throw signal.aborted ? new TimedOut(`No answer within ${limitMs} ms`) : error;
    }
  }

  return {
    get: (url, headers = {}) => send(url, { method: 'GET', headers }, timeoutMs),
    post: (url, body, { headers, timeoutMs: limitMs = timeoutMs } = {}) =>
      send(
        url,
        { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } },
        limitMs,
      ),
    close: () => dispatcher.close(),
  };
}

async function unzipped(body: { arrayBuffer(): Promise<ArrayBuffer> }): Promise<string> {
  return gunzipSync(await body.arrayBuffer(), { maxOutputLength: RESPONSE_BYTES_MAX }).toString('utf8');
}
