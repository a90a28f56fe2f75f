import { AsyncLocalStorage } from 'node:async_hooks';
import { Outdated } from './errors.ts';

/** Whether an entity, null for none, is as the caller expects. */
type Expectation = (entity: object | null) => boolean;

const expectation = new AsyncLocalStorage<Expectation>();

/** Runs the change of an entity that has to be as the caller saw it: {@link requireExpected} within it compares. */
export function withExpectation<T>(isExpected: Expectation, work: () => Promise<T>): Promise<T> {
  return expectation.run(isExpected, work);
}

/**
 * Throws Outdated where the caller expects the entity to be otherwise than `load` returns it: as responses have it, null for none.
 * Call it before the change, within its transaction and under the lock of the entity, so that only one of two changes with the same
 * expectation is made. Without an expectation nothing is loaded.
 */
export async function requireExpected(load: () => Promise<object | null> | object | null): Promise<void> {
  const isExpected = expectation.getStore();
  if (isExpected && !isExpected(await load())) throw new Outdated();
}
