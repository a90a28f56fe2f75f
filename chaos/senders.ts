import { setTimeout as wait } from 'node:timers/promises';
import { addToSum } from '@bidwell/server/platform/group-by';

/** Between two calls of a sender: without it, refused calls alone would take the processor. */
const PAUSE_MS = 250;

/** Sends calls one after another in each of `senders`, for so long. Resolves to their number by status; 0 is a broken one. */
export async function sendFor(
  durationMs: number,
  senders: number,
  call: (n: number) => Promise<{ status: number }>,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const endMs = performance.now() + durationMs;
  let next = 0;
  const sender = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const { status } = await call(next++).catch(() => ({ status: 0 }));
      addToSum(statuses, status, 1);
      await wait(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return statuses;
}

/** Such as `3 × 200, 1 × 429`. */
export const statusText = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses].map(([status, times]) => `${times} × ${status || 'broken'}`).join(', ');

/** The calls of a kind that were answered with another status than the expected ones. */
export function unexpected(
  what: string,
  statuses: ReadonlyMap<number, number>,
  expected: readonly number[],
): string[] {
  return [...statuses]
    .filter(([status]) => !expected.includes(status))
    .map(([status, times]) => `${what}: ${times} × ${status || 'broken'}`);
}
