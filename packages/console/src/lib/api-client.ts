import { messages } from '@bidwell/contract/messages';
import { Failure, TAB_HEADER } from '@bidwell/contract/wire';
import { ApiError, withoutServerText } from './api-error.ts';
import { accessToken, refreshSession } from './session.ts';
import { tabId } from './tab-id.ts';
import { underKey } from './under-key.ts';

const BASE = '/api/internal';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Query = Readonly<Record<string, string | number | undefined>>;

/** Calls of the console API. Each resolves to the `data` of the response and throws {@link ApiError}. */
export const api = {
  get: <T>(path: string, query?: Query) => call<T>('GET', path + queryText(query)),
  post: <T>(path: string, body?: unknown) => call<T>('POST', path, body),
  /** POST that creates an entity, with an idempotency key: repeated after a lost response, it creates nothing twice. */
  create: <T>(path: string, body: unknown) =>
    underKey(`${path} ${JSON.stringify(body)}`, (key) => call<T>('POST', path, body, key)),
  put: <T>(path: string, body?: unknown) => call<T>('PUT', path, body),
  patch: <T>(path: string, body?: unknown) => call<T>('PATCH', path, body),
  delete: <T>(path: string, body?: unknown) => call<T>('DELETE', path, body),
  /** Sends a form with files; reports the progress from 0 to 1. */
  upload,
  /** Fetches an uploaded file and returns a blob URL; the caller revokes it. */
  fileUrl,
  /** Fetches an uploaded file as a Blob. */
  file,
  /** Fetches a generated file, such as an exported table or a day of events. */
  download,
  /** A call without a session. */
  open: <T>(method: Method, path: string, body?: unknown) => send(method, path, body, null).then(read<T>),
};

function queryText(query: Query = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

async function call<T>(method: Method, path: string, body?: unknown, key?: string): Promise<T> {
  return read<T>(await authorised((token) => send(method, path, body, token, key)));
}

/** Sends with the session's token. After a 401 it refreshes the session and sends once more. */
async function authorised<R extends { status: number }>(sendWith: (token: string) => Promise<R>): Promise<R> {
  const token = await accessToken();
  if (token === null) throw new ApiError(401, 'Please log in.');
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
  key?: string,
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (method !== 'GET') headers[TAB_HEADER] = tabId;
  if (key) headers['idempotency-key'] = key;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(BASE + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    throw withoutServerText(0, 'The server cannot be reached. Please check your connection.');
  }
}

async function read<T>(response: Response): Promise<T> {
  const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
  const body: unknown = isJson ? await response.json().catch(() => null) : null;
  if (response.ok && isJson && body !== null) return (body as { data: T }).data;
  throw failureOf(response.status, body);
}

const NO_ENVELOPE = 'The server did not answer as it should. Please try again.';

function failureOf(status: number, body: unknown, noEnvelope: string = NO_ENVELOPE): ApiError {
  const failure = Failure.safeParse(body);
  if (!failure.success) return withoutServerText(status, noEnvelope);
  const fields = Object.fromEntries(
    (failure.data.errors ?? []).map(({ field, message }) => [field, message]),
  );
  return new ApiError(status, failure.data.data, fields);
}

async function upload<T>(
  method: 'POST' | 'PUT',
  path: string,
  form: FormData,
  onProgress: (share: number) => void = () => {},
): Promise<T> {
  const sendWith = async (key?: string): Promise<T> => {
    const { status, body } = await authorised((token) =>
      sendForm(method, path, form, token, onProgress, key),
    );
    if (status >= 200 && status < 300 && body !== null) return (body as { data: T }).data;
    throw failureOf(status, body, messages.unexpected);
  };
  return method === 'POST'
    ? underKey(`${path} ${JSON.stringify([...form].map(identityOf))}`, sendWith)
    : sendWith();
}

/** A form field as part of a request's identity: a file by its name, size and time of modification. */
function identityOf([name, value]: [string, FormDataEntryValue]): unknown {
  return value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value];
}

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
function sendForm(
  method: string,
  path: string,
  form: FormData,
  token: string | null,
  onProgress: (share: number) => void,
  key?: string,
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, BASE + path);
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader(TAB_HEADER, tabId);
    if (key) request.setRequestHeader('idempotency-key', key);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () =>
      resolve({ status: request.status, body: parse(request.responseText) }),
    );
    request.addEventListener('error', () => reject(withoutServerText(0, messages.unexpected)));
    request.send(form);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function file(url: string): Promise<Blob> {
  const response = await authorised((token) => send('GET', url.replace(BASE, ''), undefined, token));
  if (!response.ok) throw new ApiError(response.status, messages.fileNotFound);
  return response.blob();
}

async function download(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Blob> {
  const response = await authorised((token) => send(method, path, body, token));
  if (!response.ok) throw failureOf(response.status, await response.json().catch(() => null));
  return response.blob();
}

async function fileUrl(url: string): Promise<string> {
  return URL.createObjectURL(await file(url));
}
