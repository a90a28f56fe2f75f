import createFetch from 'openapi-fetch';
import { BidwellError, type FieldError } from './error.ts';
import { rememberEtag } from './etag.ts';

/** Where the API is, and how calls are sent. */
export interface ClientOptions {
  /** Address of the server, as https://ads.example.com. */
  url: string;
  /** The API key. */
  key: string;
  /** In place of the global one. */
  fetch?: typeof globalThis.fetch;
  /** How often a call is sent again at most; 3 by default. */
  retries?: number;
  /** Milliseconds after which an attempt is given up; 60,000 by default. Does not limit how long a file is read. */
  timeoutMs?: number;
}

/** Options of one call. */
export interface SendOptions {
  signal?: AbortSignal;
  /** For a call that creates and whose response has no secret: the same key and body create once. Random by default. */
  idempotencyKey?: string;
}

/** Options of a call that changes or deletes an entity. */
export interface ChangeOptions extends SendOptions {
  /** The ETag of the version that is to be changed, or `*` for any: of another one the call fails with the status 412. */
  ifMatch?: string;
}

/** How a call is sent. */
export interface Call {
  name: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in the OpenAPI document: `{name}` stands for a path parameter. */
  path: string;
  /** A `create` has an idempotency key, so that it is as safe to send again as a `read`. */
  kind: 'read' | 'create' | 'write';
  /** Whether the response is a file. */
  isFile?: boolean;
  /** For a call that changes or deletes an entity, and takes its version. */
  version?: object;
}

interface Input {
  params?: object;
  query?: object;
  body?: unknown;
  form?: FormData;
}

/** Longer pauses are for the caller to decide on. */
const PAUSE_MAX_MS = 60_000;
const FIRST_PAUSE_MS = 250;

/** Sends calls, again where that is safe and promising, and reads their responses. Throws {@link BidwellError}. */
export function senderOf(options: ClientOptions) {
  const { retries = 3 } = options;
  const sendOnce = onceSenderOf(options);
  return async (
    call: Call,
    input: Input = {},
    { signal, idempotencyKey, ifMatch }: ChangeOptions = {},
  ): Promise<unknown> => {
    // Without it the call would change any version.
    if (ifMatch !== undefined && !call.version) throw new TypeError(`${call.name} takes no ifMatch`);
    // Without it a repeated call would be carried out twice.
    if (idempotencyKey !== undefined && call.kind !== 'create')
      throw new TypeError(`${call.name} takes no idempotencyKey`);
    const headers = {
      ...(call.kind === 'create' && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await sendOnce(call, input, headers, signal);
      } catch (error) {
        if (signal?.aborted) throw unreachable(signal.reason);
        const pauseMs = pauseBefore(error, attempt);
        const isSafe = call.kind !== 'write' || wasNotCarriedOut(error);
        if (!isSafe || attempt >= retries || pauseMs === null) throw error;
        await pause(pauseMs, signal);
      }
    }
  };
}

/** Milliseconds to wait before the call is sent again; null if that does not help. */
function pauseBefore(error: unknown, attempt: number): number | null {
  if (!(error instanceof BidwellError) || ![0, 429, 503].includes(error.status)) return null;
  const { retryAfterSeconds } = error;
  const pauseMs = retryAfterSeconds === null ? FIRST_PAUSE_MS * 2 ** attempt : retryAfterSeconds * 1000;
  return pauseMs > PAUSE_MAX_MS ? null : pauseMs;
}

/** Too many calls: the server has done nothing, so that any call may be sent again. */
const wasNotCarriedOut = (error: unknown): boolean => error instanceof BidwellError && error.status === 429;

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(unreachable(signal?.reason));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function onceSenderOf({ url, key, fetch = globalThis.fetch, timeoutMs = 60_000 }: ClientOptions) {
  const api = createFetch<Record<string, Record<Call['method'], AnyOperation>>>({
    baseUrl: url,
    headers: { authorization: `Bearer ${key}` },
    querySerializer: queryText,
  });
  return async (
    { method, path, isFile = false }: Call,
    { params, query, body, form }: Input,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> => {
    const attempt = attemptSignal(signal, timeoutMs, isFile);
    try {
      const { data, error, response } = await api.request(method, path, {
        params: { path: params, query },
        body: form ?? body,
        headers,
        parseAs: isFile ? 'stream' : 'text',
        // Not as part of the request: Node.js drops the signal with the collected request while it still reads a file.
        fetch: async (request) => fetch(request, { signal: attempt.signal }),
      });
      if (isFile && response.ok) return response;
      return dataOf(response, response.ok ? parsed(data) : error);
    } catch (error) {
      throw error instanceof BidwellError ? error : unreachable(signal?.aborted ? signal.reason : error);
    } finally {
      attempt.end();
    }
  };
}

/** A call whose types {@link BidwellClient} has checked. */
interface AnyOperation {
  parameters: { path?: object; query?: object };
  requestBody: { content: { 'application/json': unknown } };
  responses: { 200: { content: { 'application/json': unknown } } };
}

/** Undefined and empty values are left out. */
function queryText(query: object): string {
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(given).toString();
}

/**
 * Aborts with the caller's signal, and after a time until the response has come. `end` leaves the caller's signal to a file, which is
 * read later.
 */
function attemptSignal(signal: AbortSignal | undefined, timeoutMs: number, isFile: boolean) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const giveUp = () => controller.abort(new Error('The server did not respond in time'));
  const timer = setTimeout(giveUp, timeoutMs);
  const end = () => {
    clearTimeout(timer);
    if (!isFile) signal?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, end };
}

function unreachable(cause: unknown): BidwellError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BidwellError(`The call was not answered: ${reason}`, { status: 0, cause });
}

function dataOf(response: Response, body: unknown): unknown {
  const envelope = body as { data?: unknown; errors?: FieldError[] } | undefined;
  if (response.ok && envelope) {
    rememberEtag(envelope.data, response.headers.get('etag'));
    return envelope.data;
  }
  const { status } = response;
  const message = typeof envelope?.data === 'string' ? envelope.data : `The server answered ${status}`;
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  throw new BidwellError(message, { status, fields: envelope?.errors ?? [], retryAfterSeconds });
}

/** The seconds of a `Retry-After`, which the server sends as a number and proxies as a date as well (section 10.2.3 of RFC 9110). */
function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null || retryAfter.trim() === '') return null;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return seconds;
  const ms = Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, Math.ceil(ms / 1000));
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
