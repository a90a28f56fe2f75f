import {
  CONSOLE_API,
  type CallArgs,
  type CallOf,
  type DataOf,
  type Endpoint,
  type Method,
  addressOf,
} from '@bidwell/contract/lib/endpoint';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { messages } from '@bidwell/contract/text/messages';
import { TAB_HEADER } from '@bidwell/contract/lib/wire';
import { ApiError, withoutServerText } from './api-error.ts';
import { type Envelope, failureOf, matching, readData } from './responses.ts';
import { accessToken, refreshSession } from './session.ts';
import { tabId } from './tab-id.ts';
import { withIdempotencyKey } from './idempotency.ts';

/** Calls of the console API. Each resolves to the `data` of the response and throws {@link ApiError}. */
export const api = {
  call,
  change,
  /** A call that needs no session, with the session's token. */
  callAsUser: async <E extends Endpoint>(endpoint: E, ...[given]: CallArgs<E>): Promise<DataOf<E>> =>
    readData(await send(endpoint.method, addressOf(endpoint, given), given?.body, await accessToken())),
  /** A call that creates an entity, with an idempotency key: repeated after a lost response, it creates nothing twice. */
  create: <E extends Endpoint>(endpoint: E, ...[given]: CallArgs<E>): Promise<DataOf<E>> =>
    withIdempotencyKey(`${addressOf(endpoint, given)} ${JSON.stringify(given?.body)}`, (key) =>
      callWith(endpoint, given, { 'idempotency-key': key }),
    ),
  /** Sends a form with files; reports the progress from 0 to 1. */
  upload,
  /** Fetches an uploaded file and returns a blob URL; the caller revokes it. */
  fileUrl,
  /** Fetches an uploaded file as a Blob. */
  file,
  /** Fetches a generated file, such as an exported table or a day of events; returns the response, whose body is unread. */
  download,
};

let reads = new AbortController();

/** Whether a session is being ended. */
let isLeaving = false;

/**
 * Aborts the reads that are under way while `leave` ends their session, which the server would reject, and sends none that
 * begin meanwhile: they never get a response, as their page is about to close.
 */
export async function withoutReads(leave: () => Promise<void>): Promise<void> {
  isLeaving = true;
  reads.abort();
  reads = new AbortController();
  try {
    await leave();
  } finally {
    isLeaving = false;
  }
}

async function call<E extends Endpoint>(endpoint: E, ...[given]: CallArgs<E>): Promise<DataOf<E>> {
  return callWith(endpoint, given);
}

/** Calls that change an entity, only if it still has the version: else they throw an ApiError with the status 412. */
async function change<E extends Endpoint>(
  endpoint: E,
  version: string | undefined,
  ...[given]: CallArgs<E>
): Promise<DataOf<E>> {
  return callWith(endpoint, given, matching(version));
}

async function callWith<E extends Endpoint>(
  endpoint: E,
  given: { params?: unknown; query?: unknown; body?: unknown } | undefined,
  extra: Record<string, string> = {},
): Promise<DataOf<E>> {
  const sendWith = (token: string | null) =>
    send(endpoint.method, addressOf(endpoint, given), given?.body, token, extra);
  return readData(await (endpoint.isPublic ? sendWith(null) : authorised(sendWith)));
}

/** Sends with the session's token. After a 401 it refreshes the session and sends once more. */
async function authorised<R extends { status: number }>(sendWith: (token: string) => Promise<R>): Promise<R> {
  const token = await accessToken();
  if (token === null) throw new ApiError(401, accountMessages.logInFirst);
  const first = await sendWith(token);
  if (first.status !== 401) return first;
  const session = await refreshSession(token);
  return session ? sendWith(session.accessToken) : first;
}

async function send(
  method: Method,
  path: string,
  body: unknown,
  token: string | null,
  extra: Record<string, string> = {},
): Promise<Response> {
  if (isLeaving && method === 'GET') return new Promise<Response>(() => {});
  const headers: Record<string, string> = { ...extra };
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (method !== 'GET') headers[TAB_HEADER] = tabId;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(CONSOLE_API + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(method === 'GET' && { signal: reads.signal }),
    });
  } catch {
    throw withoutServerText(0, messages.unreachable);
  }
}

async function upload<E extends Endpoint>(
  endpoint: E,
  { params, query, form, version, onProgress }: UploadOf<E>,
): Promise<DataOf<E>> {
  const path = addressOf(endpoint, { params, query });
  const sendWith = async (key?: string): Promise<DataOf<E>> => {
    const { status, body } = await authorised((token) =>
      sendForm<DataOf<E>>(endpoint.method, path, form, {
        token,
        onProgress,
        headers: { ...matching(version), ...(key !== undefined && { 'idempotency-key': key }) },
      }),
    );
    if (status >= 200 && status < 300 && body !== null) return body.data;
    throw failureOf(status, body, messages.unexpected);
  };
  return endpoint.method === 'POST'
    ? withIdempotencyKey(`${path} ${JSON.stringify([...form].map(identityOf))}`, sendWith)
    : sendWith();
}

type UploadOf<E extends Endpoint> = Pick<CallOf<E>, 'params' | 'query'> & {
  form: FormData;
  /** The only version that is to be changed: of another one it throws an ApiError with the status 412. */
  version?: string | undefined;
  /** Receives the share sent, from 0 to 1. */
  onProgress?: (share: number) => void;
};

/** A form field as part of a request's identity: a file by its name, size and time of modification. */
function identityOf([name, value]: [string, FormDataEntryValue]): unknown {
  return value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value];
}

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
function sendForm<Data>(
  method: Method,
  path: string,
  form: FormData,
  {
    token,
    onProgress,
    headers,
  }: {
    token: string | null;
    onProgress: ((share: number) => void) | undefined;
    headers: Record<string, string>;
  },
): Promise<{ status: number; body: Envelope<Data> }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, CONSOLE_API + path);
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader(TAB_HEADER, tabId);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress?.(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () =>
      resolve({ status: request.status, body: parse(request.responseText) }),
    );
    request.addEventListener('error', () => reject(withoutServerText(0, messages.unexpected)));
    request.send(form);
  });
}

function parse<Data>(text: string): Envelope<Data> {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function file(url: string): Promise<Blob> {
  const response = await authorised((token) => send('GET', url.replace(CONSOLE_API, ''), undefined, token));
  if (response.status === 404) throw new ApiError(404, creativeMessages.fileNotFound);
  if (!response.ok) throw failureOf(response.status, await response.json().catch(() => null));
  return response.blob();
}

async function download<E extends Endpoint>(endpoint: E, ...[given]: CallArgs<E>): Promise<Response> {
  const response = await authorised((token) =>
    send(endpoint.method, addressOf(endpoint, given), given?.body, token),
  );
  if (!response.ok) throw failureOf(response.status, await response.json().catch(() => null));
  return response;
}

async function fileUrl(url: string): Promise<string> {
  return URL.createObjectURL(await file(url));
}
