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

/** The arguments of an API call. */
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
  /** The ETag of the entity that it has. */
  etag?: string;
}

/** Makes a call of the API within the process: with its permissions, validation, limits and queues. */
export type CallApi = (
  caller: Caller,
  endpoint: Endpoint,
  input: CallInput,
  conditions?: {
    idempotencyKey?: string;
    /** The ETag of the only version that the call may change. */
    ifMatch?: string;
  },
) => Promise<ApiReply>;

/** The API that a server serves. */
export function apiOf(http: Http): CallApi {
  return async ({ key, address, signal }, endpoint, input, { idempotencyKey, ifMatch } = {}) => {
    const { statusCode, payload, headers } = await http.inject({
      method: endpoint.method,
      url: CONSOLE_API + addressOf(endpoint, input),
      remoteAddress: address,
      signal,
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(endpoint.body && { payload: (input.body ?? {}) as object }),
    });
    const { data } = JSON.parse(payload) as { data: unknown };
    const { etag } = headers;
    return { status: statusCode, text: payload, data, ...(typeof etag === 'string' && { etag }) };
  };
}
