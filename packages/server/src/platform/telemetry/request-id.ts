import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const running = new AsyncLocalStorage<string>();

/** Runs `work`, and everything that it starts, as a part of the request with this id. */
export function withRequestId<T>(id: string, work: () => T): T {
  return running.run(id, work);
}

/** The id of the request that the caller is a part of; undefined outside of requests. */
export function currentRequestId(): string | undefined {
  return running.getStore();
}

const ACCEPTED = /^[\w.:-]{1,64}$/;

/** The id that a proxy sent in `x-request-id`, if it can be written into logs and headers as it is; else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : randomUUID();
}
