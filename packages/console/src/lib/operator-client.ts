import type { CallArgs, DataOf, Endpoint } from '@bidwell/contract/endpoint';
import { OPERATOR_API, addressOf } from '@bidwell/contract/endpoint';
import { messages } from '@bidwell/contract/messages';
import { withoutServerText } from './api-error.ts';
import { withIdempotencyKey } from './idempotency.ts';
import { readData } from './responses.ts';

/**
 * Calls the operator's API with the session's cookie. A call that writes has an idempotency key: repeated after a lost
 * response, it is carried out once. Resolves to the `data` of the response and throws ApiError.
 */
export async function callOperator<E extends Endpoint>(
  endpoint: E,
  ...[given]: CallArgs<E>
): Promise<DataOf<E>> {
  const path = addressOf(endpoint, given);
  const sendWith = (key?: string): Promise<DataOf<E>> => send(endpoint, path, given?.body, key);
  return endpoint.method === 'GET' || endpoint.isPublic
    ? sendWith()
    : withIdempotencyKey(`operator ${endpoint.method} ${path} ${JSON.stringify(given?.body)}`, sendWith);
}

async function send<Data>({ method }: Endpoint, path: string, body: unknown, key?: string): Promise<Data> {
  const response = await fetch(OPERATOR_API + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw withoutServerText(0, messages.unreachable);
  });
  return readData(response);
}
