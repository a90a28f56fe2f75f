import { CONSOLE_API, type Endpoint, addressOf } from '@bidwell/contract/lib/endpoint';
import type { Session } from '../platform/http/auth/auth.ts';
import type { Http } from '../platform/http/server.ts';

/** Whose tools are called. */
export interface Caller {
  session: Session;
  /** The API key, with which the API is called. */
  key: string;
  /** The client's IP address. */
  address: string;
  /** Aborts when the client has gone. */
  signal: AbortSignal;
}

/** What a call of the API takes. */
export interface CallInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** A response of the API. */
export interface ApiReply {
  status: number;
  /** The `data` of the envelope. */
  data: unknown;
  /** The whole response as text. */
  text: string;
}

/** Makes a call of the API within the process: with its permissions, validation, limits and queues. */
export type CallApi = (
  caller: Caller,
  endpoint: Endpoint,
  input: CallInput,
  idempotencyKey?: string,
) => Promise<ApiReply>;

/** The API that a server serves. */
export function apiOf(http: Http): CallApi {
  return async ({ key, address, signal }, endpoint, input, idempotencyKey) => {
    const { statusCode, payload } = await http.inject({
      method: endpoint.method,
      url: CONSOLE_API + addressOf(endpoint, input),
      remoteAddress: address,
      signal,
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(endpoint.body && { payload: (input.body ?? {}) as object }),
    });
    return { status: statusCode, text: payload, data: (JSON.parse(payload) as { data: unknown }).data };
  };
}
