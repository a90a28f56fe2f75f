import type { DecisionResults, Decisions, ModerationItem } from '@bidwell/contract/moderation/schema';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DecisionOutbox, UNDO_MS } from './decision-outbox.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const item = (uuid: string, since = '2026-01-01T00:00:00.000Z') =>
  ({ entity: 'creative', uuid, since }) as ModerationItem;
const approve = { status: 'Approved' } as const;
const reject = { status: 'Rejected', reason: 'Blurred' } as const;

function outboxWith(outcome: 'decided' | 'changed' | Error = 'decided') {
  const sent: Decisions[] = [];
  const notified: { decided: string[]; others: string[] }[] = [];
  const response = { outcome };
  const outbox = new DecisionOutbox({
    async send(decisions): Promise<DecisionResults> {
      const { outcome: result } = response;
      if (result instanceof Error) throw result;
      sent.push(decisions);
      return { results: decisions.items.map(({ uuid }) => ({ uuid, outcome: result })) };
    },
    onSent: (decided, others) =>
      notified.push({ decided: decided.map(({ uuid }) => uuid), others: others.map(({ uuid }) => uuid) }),
    errorText: (error) => (error as Error).message,
  });
  return { outbox, sent, notified, response };
}

test('a decision is sent after ten seconds, with the version that was looked at', async () => {
  const { outbox, sent, notified } = outboxWith();
  outbox.add(approve, [item('a')]);
  expect(outbox.isOpen(item('a'))).toBe(false);
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([
    { ...approve, items: [{ entity: 'creative', uuid: 'a', since: '2026-01-01T00:00:00.000Z' }] },
  ]);
  expect(notified).toEqual([{ decided: ['a'], others: [] }]);
  expect(outbox.pending()).toEqual([]);
  // A response that was read before the decision still lists the item; a later version of it is open.
  expect(outbox.isOpen(item('a'))).toBe(false);
  expect(outbox.isOpen(item('a', '2026-01-02T00:00:00.000Z'))).toBe(true);
});

test('undo takes the latest decision back, and the others are sent', async () => {
  const { outbox, sent } = outboxWith();
  outbox.add(approve, [item('a')]);
  outbox.add(reject, [item('b'), item('c')]);
  expect(outbox.undo().map(({ uuid }) => uuid)).toEqual(['b', 'c']);
  expect(outbox.isOpen(item('b'))).toBe(true);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(sent.map(({ status }) => status)).toEqual(['Approved']);
  expect(outbox.undo()).toEqual([]);
});

test('leaving the page sends what waits, one request for each verdict', async () => {
  const { outbox, sent } = outboxWith();
  outbox.add(approve, [item('a')]);
  outbox.add(reject, [item('b')]);
  outbox.add(approve, [item('c')]);
  await outbox.flush();
  expect(sent.map(({ status, items }) => [status, items.map(({ uuid }) => uuid)])).toEqual([
    ['Approved', ['a', 'c']],
    ['Rejected', ['b']],
  ]);
});

test('what cannot be sent stays, and is sent again or put back', async () => {
  const { outbox, sent, response } = outboxWith(new Error('Cannot reach the server'));
  outbox.add(reject, [item('a')]);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(outbox.pending()).toMatchObject([{ state: 'failed', error: 'Cannot reach the server' }]);
  expect(outbox.isOpen(item('a'))).toBe(false);
  response.outcome = 'decided';
  await outbox.retry();
  expect(sent).toMatchObject([reject]);
  response.outcome = new Error('Cannot reach the server');
  outbox.add(approve, [item('b')]);
  await outbox.flush();
  outbox.putBack();
  expect(outbox.isOpen(item('b'))).toBe(true);
});

test('an item that changed meanwhile is reported and waits again', async () => {
  const { outbox, notified } = outboxWith('changed');
  outbox.add(approve, [item('a')]);
  await outbox.flush();
  expect(notified).toEqual([{ decided: [], others: ['a'] }]);
  expect(outbox.isOpen(item('a'))).toBe(true);
});
