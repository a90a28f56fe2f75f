import {
  type CallArgs,
  type DataOf,
  type Endpoint,
  OPERATOR_API,
  addressOf,
} from '@bidwell/contract/lib/endpoint';
import { messages } from '@bidwell/contract/text/messages';
import { withoutServerText } from './api-error.ts';
import { withIdempotencyKey } from './idempotency.ts';
import { matching, readData } from './responses.ts';

/**
 * Calls the operator's API with the session's cookie. A call that writes has an idempotency key: repeated after a lost
 * response, it is carried out once. Resolves to the `data` of the response and throws ApiError.
 */
export async function callOperator<E extends Endpoint>(
  endpoint: E,
  ...[given]: CallArgs<E>
): Promise<DataOf<E>> {
  return callWith(endpoint, undefined, given);
}

/**
 * {@link callOperator} that changes an entity only if it still has the version, null for one that is not there yet: else it throws an
 * ApiError with the status 412.
 */
export async function changeAsOperator<E extends Endpoint>(
  endpoint: E,
  version: string | null | undefined,
  ...[given]: CallArgs<E>
): Promise<DataOf<E>> {
  return callWith(endpoint, version, given);
}

async function callWith<E extends Endpoint>(
  endpoint: E,
  version: string | null | undefined,
  given: { params?: unknown; query?: unknown; body?: unknown } | undefined,
): Promise<DataOf<E>> {
  const path = addressOf(endpoint, given);
  const { method, isPublic } = endpoint;
  const sendWith = (key?: string): Promise<DataOf<E>> =>
    send(endpoint, path, given?.body, { ...matching(version), ...(key && { 'idempotency-key': key }) });
  const identity = `operator ${method} ${path} ${version ?? (version === null ? 'new' : '')} ${JSON.stringify(given?.body)}`;
  return method === 'GET' || isPublic ? sendWith() : withIdempotencyKey(identity, sendWith);
}

/** Below the 64 KiB that browsers accept for all requests that outlive their page. */
const KEEPALIVE_MAX_CHARS = 16_000;

async function send<Data>(
  { method, isPublic }: Endpoint,
  path: string,
  body: unknown,
  extra: Record<string, string>,
): Promise<Data> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(OPERATOR_API + path, {
    method,
    // A write that was begun is sent even if the page is closed.
    keepalive: method !== 'GET' && (text?.length ?? 0) < KEEPALIVE_MAX_CHARS,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...extra,
    },
    ...(text !== undefined && { body: text }),
  }).catch(() => {
    throw withoutServerText(0, messages.unreachable);
  });
  if (response.status === 401 && !isPublic) for (const listener of endListeners) listener();
  return readData(response);
}

const endListeners = new Set<() => void>();

/** Calls `listener` when a call is refused because the session is over; returns a function that unsubscribes. */
export function onOperatorSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}
