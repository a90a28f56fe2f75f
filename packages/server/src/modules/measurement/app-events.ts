import type { AppEvents, AppEventsUpdate } from '@bidwell/contract/apps/event-settings';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { getApp } from '../apps/service.ts';
import { recordChange } from '../changes/service.ts';
import { withinReportLimits } from '../reports/report-limits.ts';
import {
  type EventWindows,
  eventNamesOf,
  findEventWindows,
  lastEventsOf,
  saveEventWindows,
} from './app-event-store.ts';

/** The in-app events that were counted for an app, and how long after a bid they count. Throws NotFound. */
export async function appEvents(ctx: Context, actor: Actor, uuid: string): Promise<AppEvents> {
  requirePermission(actor, 'app.read');
  const { companyId } = actor;
  await getApp(ctx, actor, uuid);
  const names = await eventNamesOf(ctx.db, companyId, uuid);
  const last =
    names.length === 0
      ? new Map<string, number>()
      : await withinReportLimits(ctx, (settings) => lastEventsOf(ctx.clickhouse, companyId, uuid, settings));
  return {
    events: names.map(({ name, first_seen_at: first }) => {
      const atMs = last.get(name);
      return {
        name,
        first_seen_at: first.toISOString(),
        last_seen_at: atMs === undefined ? null : new Date(atMs).toISOString(),
      };
    }),
    ...(await findEventWindows(ctx.db, companyId, uuid)),
  };
}

/** Changes how long after a bid the in-app events of an app count; postbacks that were decided stay. Throws NotFound. */
export async function changeEventWindows(
  ctx: Context,
  actor: Actor,
  uuid: string,
  input: AppEventsUpdate,
): Promise<EventWindows> {
  requirePermission(actor, 'app.write');
  const { companyId } = actor;
  const { name } = await getApp(ctx, actor, uuid);
  return transact(ctx.db, async (tx) => {
    const before = await findEventWindows(tx.db, companyId, uuid);
    const after = {
      click_window_days: input.click_window_days ?? before.click_window_days,
      view_window_days: input.view_window_days ?? before.view_window_days,
    };
    await saveEventWindows(tx.db, companyId, uuid, after);
    const fields = (windows: typeof after) => ({
      event_click_window_days: windows.click_window_days,
      event_view_window_days: windows.view_window_days,
    });
    await recordChange(ctx, tx, actor, {
      entity: 'app',
      uuid,
      name,
      action: 'update',
      before: fields(before),
      after: fields(after),
    });
    return after;
  });
}
