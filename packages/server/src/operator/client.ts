import { Failure } from '@bidwell/contract/wire';
import { createHash, randomUUID } from 'node:crypto';

/** The server refused, or is not there; the message is for the operator. */
export class OperatorError extends Error {}

/** Calls the operator's API of a running server. */
export interface OperatorClient {
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
}

interface Options {
  /** Of this invocation: its writes are carried out once, however often it is repeated with the same key. */
  key?: string;
  /** Prints a line that is not the command's result. */
  say?: (line: string) => void;
}

/**
 * A client whose writes carry an `Idempotency-Key` each, made of the invocation's key and of what is written where. The
 * key is printed before the first write, and after one that nobody answered with how to repeat it.
 */
export function createClient(
  url: string,
  token: string,
  { key = randomUUID(), say = (line) => console.error(line) }: Options = {},
): OperatorClient {
  let said = false;
  const keyOf = (method: string, path: string): string => {
    if (!said) say(`Idempotency-Key: ${key}`);
    said = true;
    return `${key}.${createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, 16)}`;
  };
  return {
    async call(method, path, body) {
      const writes = method !== 'GET';
      const repeat = writes
        ? ` Repeat the command with --idempotency-key ${key}: it is carried out once at most.`
        : '';
      const response = await fetch(`${url}/api/operator${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(writes && { 'idempotency-key': keyOf(method, path) }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      }).catch((error: Error) => {
        throw new OperatorError(
          `No server answers at ${url}: ${error.message}. Set BIDWELL_URL if it is elsewhere.${repeat}`,
        );
      });
      const answer: unknown = await response.json().catch(() => null);
      if (response.headers.has('idempotent-replayed'))
        say('This was carried out before under the same key; nothing was done again.');
      if (response.ok) return (answer as { data: unknown }).data;
      const failure = Failure.safeParse(answer);
      const sentence = failure.success ? failure.data.data : `The server answered ${response.status}.`;
      throw new OperatorError(response.status >= 500 ? sentence + repeat : sentence);
    },
  };
}

/** Takes `--idempotency-key KEY` out of a command's arguments. Throws OperatorError. */
export function takeKey(args: readonly string[]): { key?: string; rest: string[] } {
  const at = args.findIndex((arg) => arg === '--idempotency-key' || arg.startsWith('--idempotency-key='));
  if (at === -1) return { rest: [...args] };
  const inline = args[at]!.includes('=');
  const key = inline ? args[at]!.slice(args[at]!.indexOf('=') + 1) : args[at + 1];
  // The key of a call is longer by its dot and hash.
  if (key === undefined || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new OperatorError('--idempotency-key takes 1 to 200 visible ASCII characters.');
  return { key, rest: args.toSpliced(at, inline ? 1 : 2) };
}
