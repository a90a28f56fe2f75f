import { setTimeout as wait } from 'node:timers/promises';
import { bidRequest } from '@bidwell/testing/exchange';

/**
 * Creates an exchange. Returns a function that waits until its bids are stopped for the event log, or not, and returns whether
 * they were in time.
 */
export async function stopWatchAt(port: number, operatorToken: string) {
  const url = `http://127.0.0.1:${port}`;
  const made = await fetch(`${url}/api/operator/ssps/chaos`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Chaos' }),
  });
  if (!made.ok) throw new Error(`The exchange could not be made: ${made.status} ${await made.text()}`);
  const { data } = (await made.json()) as { data: { path: string } };
  const body = JSON.stringify(bidRequest({ ext: { nbr: 1 } }));
  return async (stopped: boolean, withinMs: number) =>
    within(withinMs, async () => ((await bidOutcome(url + data.path, body)) === 'event_log') === stopped);
}

/** Sends a bid request that asks for the reason of a no-bid; resolves to the reason, to `bid`, or to `unread` for a 204. */
export async function bidOutcome(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  if (answer.status === 204) return 'unread';
  if (answer.status !== 200) return `status ${answer.status}`;
  const { seatbid, ext } = (await answer.json()) as { seatbid?: unknown[]; ext?: { reason: string } };
  return seatbid ? 'bid' : (ext?.reason ?? 'no reason');
}

/** True if the condition holds within this time; polls it. */
export async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() >= endMs) return false;
    await wait(50);
  }
  return true;
}
