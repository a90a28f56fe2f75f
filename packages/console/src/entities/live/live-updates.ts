import type { Highlights } from '@bidwell/contract/reports/schema';
import { ENTITY_TYPES } from '@bidwell/contract/changes/schema';
import type { LiveMessage } from '@bidwell/contract/live/schema';
import type { Notification } from '@bidwell/contract/notifications/schema';
import type { Query, QueryClient } from '@tanstack/react-query';
import { markChanged } from '../../lib/live/changed-rows.ts';
import { openLiveConnection } from '../../lib/live/live-connection.ts';
import { connectionState } from '../../lib/live/connection-state.ts';
import { withToday } from './live-today.ts';
import { balanceQuery } from '../finance/queries.ts';
import { notificationsQuery } from '../notifications/queries.ts';
import { tabId } from '../../lib/api/tab-id.ts';

/** Changes within this time are refetched together. */
const BATCH_MS = 50;
/** Minimum time between two refetches of reports while figures change. */
const REPORTS_MS = 5000;
/** Age of shown data from which it is refetched at the first connection. */
const STALE_MS = 1000;
/** Polling interval without a connection. */
const POLL_MS = 10_000;

/** The query keys whose changes the server publishes. */
const publishedKeys = new Set<unknown>([...ENTITY_TYPES, 'analytics', 'changes', 'notifications']);
/** Entities whose review campaigns show. */
const reviewedKinds = ['app', 'creative', 'creative_group', 'tracking_link'] as const;
const isPublished = ({ queryKey }: Query) => publishedKeys.has(queryKey[0]);

/** Updates the cache from the server's publications; polls without a connection. Returns a function that stops it. */
export function startLiveUpdates(
  queries: QueryClient,
  onNotification: (title: string, text: string) => void,
): () => void {
  const entities = collected(BATCH_MS, (changes: Extract<LiveMessage, { type: 'entity' }>[]) => {
    const changed = new Set(changes.map(({ entity }) => entity));
    // Campaigns show what of them is in review.
    if (reviewedKinds.some((kind) => changed.has(kind))) changed.add('campaign');
    // Audiences show what uses them.
    if (changed.has('adset') || changed.has('target')) changed.add('audience');
    const kinds = [...changed];
    const elsewhere = changes.filter(({ tab, action }) => tab !== tabId && action !== 'delete');
    void queries.invalidateQueries({ queryKey: ['changes'] });
    // Its time zone applies to all days.
    if (changed.has('company')) return void queries.invalidateQueries();
    // A row is highlighted once it shows the change.
    void Promise.all(kinds.map((entity) => queries.invalidateQueries({ queryKey: [entity] }))).then(() =>
      markChanged(elsewhere.map(({ uuid }) => uuid)),
    );
  });
  const reports = collected(REPORTS_MS, (dates: string[]) => {
    // A hidden tab refetches when it becomes visible.
    if (document.hidden) return;
    const holdsToday = ({ queryKey: [kind, report, range, group] }: Query) =>
      kind === 'analytics' &&
      !(report === 'highlight' && group === 'day') &&
      dates.some((date) => isWithin(date, range as Range));
    void queries.invalidateQueries({ predicate: holdsToday });
    void queries.invalidateQueries({ queryKey: ['company', 'transactions'] });
  });

  /** What to refetch after a connection loss; each channel reports its own. */
  const missed = collected(BATCH_MS, (what: ('figures' | 'everything')[]) => {
    // Figures are not retained while a client is disconnected.
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
    } else if (message.type === 'own_notifications') {
      void queries.invalidateQueries({ queryKey: notificationsQuery.queryKey });
    } else {
      void queries.invalidateQueries({ queryKey: notificationsQuery.queryKey });
      // An anomaly has the banner.
      if (message.kind !== 'anomaly') onNotification(message.title, message.text);
    }
  };
  const close = openLiveConnection({
    onMessage: receive,
    onConnected: () => {
      // Data fetched just before the connection may be stale: it is refetched when it is next shown.
      void queries.invalidateQueries({ predicate: isPublished, refetchType: 'none' });
      // On a slow network it was fetched long before, and what changed meanwhile would not be shown.
      const isOld = (query: Query) => isPublished(query) && Date.now() - query.state.dataUpdatedAt > STALE_MS;
      void queries.refetchQueries({ predicate: isOld, type: 'active' });
    },
    onReconnected: () => missed.add('figures'),
    onMissed: () => missed.add('everything'),
  });
  const poll = setInterval(() => {
    const state = connectionState();
    if ((state === 'lost' || state === 'blocked') && !document.hidden)
      void queries.invalidateQueries({ predicate: isPublished });
  }, POLL_MS);
  return () => {
    close();
    clearInterval(poll);
    entities.stop();
    reports.stop();
    missed.stop();
  };
}

interface Range {
  start: string;
  end: string;
}

const isWithin = (date: string, { start, end }: Range): boolean => start <= date && date <= end;

/** Updates the cards, today's point of the chart and the balance without a request. */
function showToday(queries: QueryClient, message: Extract<LiveMessage, { type: 'today' }>): void {
  const shown = queries.getQueryCache().findAll({ queryKey: ['analytics', 'highlight'] });
  for (const { queryKey } of shown)
    if (queryKey[3] === 'day')
      queries.setQueryData<Highlights>(queryKey, (old) => old && (withToday(old, message) ?? old));
  queries.setQueryData(balanceQuery.queryKey, (old) => old && message.balance);
}

/** Collects items for `withinMs` after the first and passes them to `flush` together: a throttle. */
function collected<Item>(withinMs: number, flush: (items: Item[]) => void) {
  let items: Item[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(item: Item): void {
      items.push(item);
      timer ??= setTimeout(() => {
        timer = undefined;
        flush(items.splice(0));
      }, withinMs);
    },
    stop(): void {
      clearTimeout(timer);
      items = [];
    },
  };
}
