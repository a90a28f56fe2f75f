import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** A request, and for whom it is: the address of the client, then the company whose session it has. */
interface RunningRequest {
  readonly id: string;
  owner: string;
}

const running = new AsyncLocalStorage<RunningRequest>();

/** Runs `work`, and everything that it starts, as a part of the request with this id, for the client with this address. */
export function withRequest<T>(id: string, address: string, work: () => T): T {
  return running.run({ id, owner: address }, work);
}

/** The id of the request that the caller is a part of; undefined outside of requests. */
export function currentRequestId(): string | undefined {
  return running.getStore()?.id;
}

/** Whose request the caller is a part of: an address or a company's id; empty outside of requests. */
export function currentRequestOwner(): string {
  return running.getStore()?.owner ?? '';
}

/** Says that the request that the caller is a part of is one of this company, as a valid token shows. */
export function ownRequest(companyId: string): void {
  const request = running.getStore();
  if (request) request.owner = companyId;
}

const ACCEPTED = /^[\w.:-]{1,64}$/;

/** The id that a proxy sent in `x-request-id`, if it can be written into logs and headers as it is; else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : randomUUID();
}
