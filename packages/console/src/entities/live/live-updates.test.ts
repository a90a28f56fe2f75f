import type { LiveMessage } from '@bidwell/contract/live/schema';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { markChanged } from '../../lib/live/changed-rows.ts';
import type { LiveHandlers } from '../../lib/live/live-connection.ts';
import { resetConnection, setConnected, setDisconnected } from '../../lib/live/connection-state.ts';
import { startLiveUpdates } from './live-updates.ts';
import { notificationsQuery } from '../notifications/queries.ts';
import { tabId } from '../../lib/api/tab-id.ts';

let live: LiveHandlers;
vi.mock('../../lib/live/live-connection.ts', () => ({
  openLiveConnection: (handlers: LiveHandlers) => {
    live = handlers;
    return () => {};
  },
}));
vi.mock('../../lib/live/changed-rows.ts', () => ({ markChanged: vi.fn() }));

let queries: QueryClient;
let fetches: Record<string, number>;
let cleanups: (() => void)[];
const onNotification = vi.fn();

/** Observes a query as a screen would, and counts its fetches. */
function show(queryKey: readonly unknown[], data: unknown = []): void {
  const name = queryKey.slice(0, 2).join(' ');
  const queryFn = async () => {
    fetches[name] = (fetches[name] ?? 0) + 1;
    return data;
  };
  cleanups.push(new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => {}));
}

beforeEach(async () => {
  vi.useFakeTimers();
  queries = new QueryClient();
  cleanups = [() => resetConnection()];
  fetches = {};
  show(['campaign']);
  show(['app']);
  show(['changes', 'c1', 1]);
  show(['reference', 'languages']);
  show(['analytics', 'level', { start: '2026-05-01', end: '2026-05-04' }]);
  show(['analytics', 'bundle', { start: '2026-04-01', end: '2026-04-30' }]);
  cleanups.push(startLiveUpdates(queries, onNotification));
  await vi.advanceTimersByTimeAsync(100);
  fetches = {};
});
afterEach(() => {
  for (const cleanup of cleanups) cleanup();
  vi.clearAllMocks();
  vi.useRealTimers();
});

const changed = (uuid: string, tab?: string, action: 'update' | 'delete' = 'update'): LiveMessage => ({
  type: 'entity',
  entity: 'campaign',
  uuid,
  action,
  ...(tab && { tab }),
});

test('audiences, which show what uses them, are read again when ad sets and targets change', async () => {
  show(['audience']);
  await vi.advanceTimersByTimeAsync(100);
  for (const entity of ['adset', 'target'] as const) {
    fetches = {};
    live.onMessage({ ...changed('one'), entity } as LiveMessage);
    await vi.advanceTimersByTimeAsync(100);
    expect(fetches).toMatchObject({ audience: 1 });
  }
});

test('changes that come together are read once, and marked where they were made elsewhere', async () => {
  for (let number = 0; number < 300; number += 1)
    live.onMessage(changed(`other-${number % 2}`, 'another tab'));
  live.onMessage(changed('mine', tabId));
  live.onMessage(changed('gone', 'another tab', 'delete'));
  expect(markChanged).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(fetches).toEqual({ campaign: 1, 'changes c1': 1 });
  const marked = new Set(vi.mocked(markChanged).mock.calls.flatMap(([ids]) => ids));
  expect([...marked].sort()).toEqual(['other-0', 'other-1']);
});

test('a change of the company, whose time zone applies to all days, reads everything again', async () => {
  live.onMessage({ type: 'entity', entity: 'company', uuid: 'c1', action: 'update', tab: 'another tab' });
  await vi.advanceTimersByTimeAsync(100);
  expect(Object.keys(fetches)).toHaveLength(6);
});

test('at the first connection, shown data is read again if it is old', async () => {
  live.onConnected();
  await vi.advanceTimersByTimeAsync(100);
  expect(fetches).toEqual({});
  await vi.advanceTimersByTimeAsync(2000);
  live.onConnected();
  await vi.advanceTimersByTimeAsync(100);
  expect(fetches).toEqual({
    campaign: 1,
    app: 1,
    'changes c1': 1,
    'analytics level': 1,
    'analytics bundle': 1,
  });
});

test('after a drop only figures are read again', async () => {
  live.onReconnected();
  await vi.advanceTimersByTimeAsync(100);
  expect(fetches).toEqual({ 'analytics level': 1, 'analytics bundle': 1 });
});

test('after a drop with losses everything is read again, once however many channels say so', async () => {
  live.onReconnected();
  live.onMissed();
  live.onMissed();
  await vi.advanceTimersByTimeAsync(100);
  expect(Object.values(fetches)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('while figures move, reports that hold the day are read every five seconds, others not at all', async () => {
  const today = {
    type: 'today',
    date: '2026-05-04',
    counts: { clicks: 1, installs: 0, impressions: 2, spends: 0.1 },
    balance: { balance: 1, currency: 'USD', spent_today: 0.1, credit_limit: 0 },
  } as const;
  for (let second = 0; second < 10; second += 1) {
    live.onMessage(today);
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(fetches).toEqual({ 'analytics level': 2 });
});

test('a new notification is announced, and what others read counts as read', async () => {
  queries.setQueryData(notificationsQuery.queryKey, [{ uuid: 'n1', read: false } as never]);
  live.onMessage({
    type: 'notification',
    uuid: 'n2',
    kind: 'moderation',
    title: 'App approved',
    text: 'Puzzle',
  });
  expect(onNotification).toHaveBeenCalledExactlyOnceWith('App approved', 'Puzzle');
  live.onMessage({ type: 'read', uuids: ['n1'] });
  expect(queries.getQueryData(notificationsQuery.queryKey)).toMatchObject([{ uuid: 'n1', read: true }]);
});

test('someone’s own notifications are read again, and no page says what they are', () => {
  queries.setQueryData(notificationsQuery.queryKey, []);
  live.onMessage({ type: 'own_notifications' });
  expect(queries.getQueryState(notificationsQuery.queryKey)?.isInvalidated).toBe(true);
  expect(onNotification).not.toHaveBeenCalled();
});

test('without a connection the page asks every ten seconds, with one it does not', async () => {
  setConnected();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(fetches).toEqual({});
  setDisconnected();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(fetches['campaign']).toBe(2);
  expect(fetches).not.toHaveProperty(['reference languages']);
});
