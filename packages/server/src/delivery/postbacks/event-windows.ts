import { EVENT_WINDOW_DAYS_MAX, INSTALL_LATENESS_DAYS } from '@bidwell/contract/apps/event-settings';
import { anyOf } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/**
 * How long after a bid the in-app events of an app count, days: after a click, and after a view without one; and how long the return of a
 * person counts for a re-engagement campaign.
 */
export interface EventWindow {
  clickDays: number;
  viewDays: number;
  reEngagementClickDays: number;
  reEngagementViewDays: number;
}

export const LONGEST_WINDOW: EventWindow = {
  clickDays: EVENT_WINDOW_DAYS_MAX,
  viewDays: EVENT_WINDOW_DAYS_MAX,
  reEngagementClickDays: INSTALL_LATENESS_DAYS,
  reEngagementViewDays: INSTALL_LATENESS_DAYS,
};

/** The windows of apps; the longest for those that set none. Works across companies, since a batch of postbacks does. */
export async function readEventWindows(
  db: Db,
  appIds: readonly string[],
): Promise<(appId: string) => EventWindow> {
  if (appIds.length === 0) return () => LONGEST_WINDOW;
  const rows = await db
    .selectFrom('app_event_windows')
    .select(['app_uuid as appId', 'click_days as clickDays', 'view_days as viewDays'])
    .select((eb) => [
      eb.fn.coalesce('re_engagement_click_days', eb.val(INSTALL_LATENESS_DAYS)).as('reEngagementClickDays'),
      eb.fn.coalesce('re_engagement_view_days', eb.val(INSTALL_LATENESS_DAYS)).as('reEngagementViewDays'),
    ])
    .where('app_uuid', '=', anyOf([...new Set(appIds)]))
    .execute();
  const windows = new Map(rows.map(({ appId, ...window }) => [appId, window]));
  return (appId) => windows.get(appId) ?? LONGEST_WINDOW;
}
