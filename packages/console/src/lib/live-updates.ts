import type { Highlights } from '@bidwell/contract/analytics';
import { ENTITY_TYPES } from '@bidwell/contract/change';
import type { LiveMessage } from '@bidwell/contract/live';
import type { Notification } from '@bidwell/contract/notification';
import type { Query, QueryClient } from '@tanstack/react-query';
import { markChanged } from './changed-rows.ts';
import { connectLive } from './live-client.ts';
import { liveState } from './live-state.ts';
import { withToday } from './live-today.ts';
import { balanceQuery } from './queries/finance.ts';
import { notificationsQuery } from './queries/notifications.ts';
import { tabId } from './tab-id.ts';

/** Changes that come close together are read at once. */
const TOGETHER_MS = 50;
/** Reports are asked for again at most this often while figures move. */
const REPORTS_MS = 5000;
/** How often the page asks again without a connection. */
const POLL_MS = 10_000;

/** What the server publishes news of. */
const told = new Set<unknown>([...ENTITY_TYPES, 'analytics', 'changes', 'notifications']);
const isTold = ({ queryKey }: Query) => told.has(queryKey[0]);

/** Keeps the cache as fresh as the server's publications; without a connection, by asking again. Answers how to stop. */
export function startLiveUpdates(
  queries: QueryClient,
  onNotification: (title: string, text: string) => void,
): () => void {
  const entities = gathered(TOGETHER_MS, (changes: Extract<LiveMessage, { type: 'entity' }>[]) => {
    const kinds = [...new Set(changes.map(({ entity }) => entity))];
    const elsewhere = changes.filter(({ tab, action }) => tab !== tabId && action !== 'delete');
    void queries.invalidateQueries({ queryKey: ['changes'] });
    // A row is marked once it shows what was changed.
    void Promise.all(kinds.map((entity) => queries.invalidateQueries({ queryKey: [entity] }))).then(() =>
      markChanged(elsewhere.map(({ uuid }) => uuid)),
    );
  });
  const reports = gathered(REPORTS_MS, (dates: string[]) => {
    // Who does not look asks when they come back.
    if (document.hidden) return;
    const holdsToday = ({ queryKey: [kind, report, range, group] }: Query) =>
      kind === 'analytics' &&
      !(report === 'highlight' && group === 'day') &&
      dates.some((date) => isWithin(date, range as Range));
    void queries.invalidateQueries({ predicate: holdsToday });
    void queries.invalidateQueries({ queryKey: ['company', 'transactions'] });
  });

  /** What is to be read after a drop; each channel says it by itself. */
  const away = gathered(TOGETHER_MS, (what: ('figures' | 'everything')[]) => {
    // Figures are not kept for who was away.
    const isDue = ({ queryKey: [kind] }: Query) =>
      what.includes('everything') || kind === 'analytics' || kind === 'company';
    void queries.invalidateQueries({ predicate: isDue });
  });

  const receive = (message: LiveMessage): void => {
    if (message.type === 'entity') entities.add(message);
    else if (message.type === 'today') {
      showToday(queries, message);
      reports.add(message.date);
    } else if (message.type === 'read') {
      const asRead = (list: Notification[] | undefined) =>
        list?.map((news) => (message.uuids.includes(news.uuid) ? { ...news, read: true } : news));
      queries.setQueryData(notificationsQuery.queryKey, asRead);
    } else {
      void queries.invalidateQueries({ queryKey: notificationsQuery.queryKey });
      onNotification(message.title, message.text);
    }
  };
  const close = connectLive({
    receive,
    // What was read a moment before the connection stood may be older than it: it is read again where it is next shown.
    opened: () => void queries.invalidateQueries({ predicate: isTold, refetchType: 'none' }),
    back: () => away.add('figures'),
    missed: () => away.add('everything'),
  });
  const poll = setInterval(() => {
    const state = liveState();
    if ((state === 'lost' || state === 'blocked') && !document.hidden)
      void queries.invalidateQueries({ predicate: isTold });
  }, POLL_MS);
  return () => {
    close();
    clearInterval(poll);
    entities.stop();
    reports.stop();
    away.stop();
  };
}

interface Range {
  start: string;
  end: string;
}

const isWithin = (date: string, { start, end }: Range): boolean => start <= date && date <= end;

/** Moves the cards, today's point of the chart and the balance without asking the server. */
function showToday(queries: QueryClient, message: Extract<LiveMessage, { type: 'today' }>): void {
  const shown = queries.getQueryCache().findAll({ queryKey: ['analytics', 'highlight'] });
  for (const { queryKey } of shown)
    if (queryKey[3] === 'day')
      queries.setQueryData<Highlights>(queryKey, (old) => old && (withToday(old, message) ?? old));
  queries.setQueryData(balanceQuery.queryKey, (old) => old && message.balance);
}

/** Gathers what comes within a time of the first and hands it on together: never more often than that. */
function gathered<Item>(withinMs: number, handOn: (items: Item[]) => void) {
  let items: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(item: Item): void {
      items.push(item);
      timer ??= setTimeout(() => {
        timer = undefined;
        handOn(items.splice(0));
      }, withinMs);
    },
    stop(): void {
      clearTimeout(timer);
      items = [];
    },
  };
}
