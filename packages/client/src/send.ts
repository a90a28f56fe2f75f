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
  /** Of a call that creates: the same key and body create once. A random one by default. */
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
  method: string;
  /** Relative to the API; `:name` stands for a path parameter. */
  path: string;
  /** A `create` has an idempotency key, so that it is as safe to send again as a `read`. */
  kind: 'read' | 'create' | 'write';
  /** Whether it answers a file. */
  isFile?: boolean;
  /** Whether it changes or deletes an entity, and takes its version. */
  takesMatch?: boolean;
}

interface Input {
  params?: object;
  query?: object;
  body?: unknown;
  form?: FormData;
}

const API = '/api/internal';
/** Longer pauses are for the caller to decide on. */
const PAUSE_MAX_MS = 60_000;
const FIRST_PAUSE_MS = 250;

/** Sends a call, again where that is safe and promising, and reads its response. Throws {@link BidwellError}. */
export async function send(
  call: Call,
  options: ClientOptions,
  input: Input = {},
  { signal, idempotencyKey = crypto.randomUUID(), ifMatch }: ChangeOptions = {},
): Promise<unknown> {
  const { retries = 3 } = options;
  // Without it the call would change any version.
  if (ifMatch !== undefined && !call.takesMatch) throw new TypeError(`${call.name} takes no ifMatch`);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sendOnce(call, options, input, {
        idempotencyKey,
        ...(signal && { signal }),
        ...(ifMatch !== undefined && { ifMatch }),
      });
    } catch (error) {
      if (signal?.aborted) throw unreachable(signal.reason);
      const pauseMs = pauseBefore(error, attempt);
      if (call.kind === 'write' || attempt >= retries || pauseMs === null) throw error;
      await pause(pauseMs, signal);
    }
  }
}

/** Milliseconds to wait before the call is sent again; null where that does not help. */
function pauseBefore(error: unknown, attempt: number): number | null {
  if (!(error instanceof BidwellError) || ![0, 429, 503].includes(error.status)) return null;
  const { retryAfterSeconds } = error;
  const pauseMs = retryAfterSeconds === null ? FIRST_PAUSE_MS * 2 ** attempt : retryAfterSeconds * 1000;
  return pauseMs > PAUSE_MAX_MS ? null : pauseMs;
}

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

async function sendOnce(
  call: Call,
  { url, key, fetch = globalThis.fetch, timeoutMs = 60_000 }: ClientOptions,
  { params, query, body, form }: Input,
  { signal, idempotencyKey, ifMatch }: ChangeOptions & { idempotencyKey: string },
): Promise<unknown> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (call.kind === 'create') headers['idempotency-key'] = idempotencyKey;
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  if (body !== undefined && !form) headers['content-type'] = 'application/json';
  const attempt = attemptSignal(signal, timeoutMs, call.isFile ?? false);
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}${API}${addressOf(call.path, params, query)}`, {
      method: call.method,
      headers,
      signal: attempt.signal,
      ...(form ? { body: form } : body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok && call.isFile) return response;
    return await readData(response);
  } catch (error) {
    throw error instanceof BidwellError ? error : unreachable(signal?.aborted ? signal.reason : error);
  } finally {
    attempt.end();
  }
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

async function readData(response: Response): Promise<unknown> {
  const text = await response.text();
  const envelope = parsed(text) as { data?: unknown; errors?: FieldError[] } | undefined;
  if (response.ok && envelope) {
    const { data } = envelope;
    rememberEtag(data, response.headers.get('etag'));
    return data;
  }
  const { status } = response;
  const message = typeof envelope?.data === 'string' ? envelope.data : `The server answered ${status}`;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(seconds) ? seconds : null;
  throw new BidwellError(message, { status, fields: envelope?.errors ?? [], retryAfterSeconds });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The path with its parameters, and the query; undefined and empty values are left out. */
function addressOf(path: string, params: object = {}, query: object = {}): string {
  const values = new Map(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''));
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]): [string, string] => [name, String(value)]);
  return search.length === 0 ? filled : `${filled}?${new URLSearchParams(search)}`;
}
