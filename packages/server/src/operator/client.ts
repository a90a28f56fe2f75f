import { Failure } from '@bidwell/contract/wire';

/** The server refused, or is not there; the message is for the operator. */
export class OperatorError extends Error {}

/** Calls the operator's API of a running server. */
export interface OperatorClient {
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown>;
}

export function createClient(url: string, token: string): OperatorClient {
  return {
    async call(method, path, body) {
      const response = await fetch(`${url}/api/operator${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      }).catch((error: Error) => {
        throw new OperatorError(
          `No server answers at ${url}: ${error.message}. Set BIDWELL_URL if it is elsewhere.`,
        );
      });
      const answer: unknown = await response.json().catch(() => null);
      if (response.ok) return (answer as { data: unknown }).data;
      const failure = Failure.safeParse(answer);
      throw new OperatorError(
        failure.success ? failure.data.data : `The server answered ${response.status}.`,
      );
    },
  };
}
