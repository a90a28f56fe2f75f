import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** A request, and its company and person. */
export interface RunningRequest {
  readonly id: string;
  /** The address of the client. */
  readonly address: string;
  /** The company of its session, once a valid token has shown it; null before, and without one. */
  companyId: string | null;
}

const running = new AsyncLocalStorage<RunningRequest>();

/** Runs `work`, and everything that it starts, as a part of the request with this id, of the client at this address. */
export function withRequest<T>(id: string, address: string, work: () => T): T {
  return running.run({ id, address, companyId: null }, work);
}

/** The request that the caller is a part of; undefined outside of requests. */
export function currentRequest(): Readonly<RunningRequest> | undefined {
  return running.getStore();
}

/** Says that the request that the caller is a part of is one of this company, as a valid token shows. */
export function ownRequest(companyId: string): void {
  const request = running.getStore();
  if (request) request.companyId = companyId;
}

const ACCEPTED = /^[\w.:-]{1,64}$/;

/** The id that a proxy sent in `x-request-id`, if it can be written into logs and headers as it is; else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : randomUUID();
}
