import { type CallArgs, type Endpoint, OPERATOR_API, addressOf } from '@bidwell/contract/lib/endpoint';
import { Failure } from '@bidwell/contract/lib/wire';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { originOf } from '../platform/http/public-url.ts';

/** The server rejected the call or is unreachable; the message is written for the operator. */
export class OperatorError extends Error {
  /** The fields of the call that are not valid. */
  readonly fields: readonly string[];

  constructor(message: string, fields: readonly string[] = []) {
    super(message);
    this.fields = fields;
  }
}

/** Calls the operator's API of a running server. */
export interface OperatorClient {
  /** Resolves to the `data` of the response. Throws {@link OperatorError}. */
  call<E extends Endpoint, Data>(endpoint: E & RespondingWith<Data>, ...given: CallArgs<E>): Promise<Data>;
  /** Opens the response of a call that streams, without a limit of time. Throws {@link OperatorError}. */
  stream(endpoint: Endpoint): Promise<AsyncIterable<Uint8Array>>;
}

/** The successful response of an endpoint, which has one of the statuses. */
export interface RespondingWith<Data> {
  response: { 200?: z.ZodType<{ data: Data }>; 201?: z.ZodType<{ data: Data }> };
}

interface Options {
  /** Idempotency key of this invocation: its writes are performed once, even if it is repeated with the same key. */
  key?: string;
  /** Prints a line that is not part of the command's result. */
  say?: (line: string) => void;
}

/**
 * Creates a client of the server at an address without a path, for which it throws {@link OperatorError}. It sends an `Idempotency-Key` with each write, derived from the invocation's key, the method and the
 * path. Prints the invocation's key before the first write; the error of a write without a response says how to repeat it.
 */
export function createClient(
  address: string,
  token: string,
  { key = randomUUID(), say = (line) => console.error(line) }: Options = {},
): OperatorClient {
  const url = originOf(address);
  if (url === null)
    throw new OperatorError(
      'BIDWELL_URL should be an address such as https://ads.example.com, without a path, a query, a name or a password.',
    );
  let said = false;
  const keyOf = (method: string, path: string): string => {
    if (!said) say(`Idempotency-Key: ${key}`);
    said = true;
    return `${key}.${createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 16)}`;
  };
  return {
    async stream({ method, path }) {
      const response = await fetch(`${url}${OPERATOR_API}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
      }).catch((error: Error) => {
        throw unreachable(url, error);
      });
      if (response.ok && response.body) return response.body;
      throw new OperatorError(sentenceOf(url, response.status, await response.json().catch(() => null)));
    },
    async call({ method, response: schemas, ...endpoint }, ...[given]) {
      const path = addressOf(endpoint, given);
      const body = given?.body;
      const writes = method !== 'GET';
      const repeat = writes
        ? ` Repeat the command with --idempotency-key ${key}: it is carried out once at most.`
        : '';
      const response = await fetch(`${url}${OPERATOR_API}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(writes && { 'idempotency-key': keyOf(method, path) }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      }).catch((error: Error) => {
        throw unreachable(url, error, repeat);
      });
      const content: unknown = await response.json().catch(() => null);
      if (response.headers.has('idempotent-replayed'))
        say('A command with this key was already carried out; nothing was done again.');
      if (response.ok) {
        const parsed = (schemas[200] ?? schemas[201])?.safeParse(content);
        if (parsed?.success) return parsed.data.data;
        throw new OperatorError(
          'The server’s response cannot be read. Are the command line and the server of the same version?',
        );
      }
      const sentence = sentenceOf(url, response.status, content);
      const fields = Failure.safeParse(content).data?.errors?.map(({ field }) => field);
      throw new OperatorError(response.status >= 500 ? sentence + repeat : sentence, fields);
    },
  };
}

function unreachable(url: string, { message }: Error, repeat = ''): OperatorError {
  return new OperatorError(
    `No server answers at ${url}: ${message}. Set BIDWELL_URL if it is elsewhere.${repeat}`,
  );
}

function sentenceOf(url: string, status: number, content: unknown): string {
  const failure = Failure.safeParse(content);
  if (!failure.success) return `The server answered ${status}.`;
  const { data } = failure.data;
  if (data === operatorApiMessages.operatorToken) return `${data} The server is at ${url}.`;
  return data === apiMessages.noAddress ? elsewhere(url) : data;
}

/** Where the server has no such call: with ADMIN_PORT, its public port has no operator's API. */
function elsewhere(url: string): string {
  return (
    `The operator’s API is not at ${url}. Where the server has ADMIN_PORT, it is at that port only: set ADMIN_PORT to the same for this ` +
    'command. Otherwise the command line and the server are of different versions.'
  );
}

/** Separates `--idempotency-key KEY` from a command's other arguments. Throws OperatorError for an invalid key. */
export function takeKey(args: readonly string[]): { key?: string; rest: string[] } {
  const at = args.findIndex((arg) => arg === '--idempotency-key' || arg.startsWith('--idempotency-key='));
  if (at === -1) return { rest: [...args] };
  const inline = args[at]!.includes('=');
  const key = inline ? args[at]!.slice(args[at]!.indexOf('=') + 1) : args[at + 1];
  // Each call appends a dot and a hash to the key.
  if (key === undefined || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new OperatorError('--idempotency-key takes 1 to 200 visible ASCII characters.');
  return { key, rest: args.toSpliced(at, inline ? 1 : 2) };
}
