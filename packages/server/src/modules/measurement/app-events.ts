import {
  type AppEventOfName,
  type AppEventSettings,
  type AppEvents,
  type AppEventsSaved,
  type AppEventsUpdate,
  PAYER_RULES_MAX,
  REVENUE_SOURCES,
} from '@bidwell/contract/apps/event-settings';
import { appApiMessages } from '@bidwell/contract/apps/api-messages';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { Invalid } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { eventRulesOf } from '../../delivery/public.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { getApp, lockAppsOf } from '../catalog/public.ts';
import { recordChange } from '../changes/public.ts';
import { withinReportLimits } from '../reporting/public.ts';
import {
  eventsOfApp,
  findEventSettings,
  lastEventsOf,
  saveEventSettings,
  saveEventsOfApp,
} from './app-event-store.ts';
import { requireExpected } from '../../platform/expected-version.ts';

/** The in-app events that were counted for an app, and how they are shown and count. Throws NotFound. */
export async function appEvents(ctx: Context, actor: Actor, uuid: string): Promise<AppEvents> {
  requirePermission(actor, 'app.read');
  const { companyId } = actor;
  await getApp(ctx, actor, uuid);
  const events = await eventsOfApp(ctx.db, companyId, uuid);
  const last =
    events.length === 0
      ? new Map<string, number>()
      : await withinReportLimits(ctx, (settings) => lastEventsOf(ctx.clickhouse, companyId, uuid, settings));
  return {
    events: events.map(({ first_seen_at: first, ...event }) => {
      const atMs = last.get(event.name);
      return {
        ...event,
        first_seen_at: first.toISOString(),
        last_seen_at: atMs === undefined ? null : new Date(atMs).toISOString(),
      };
    }),
    ...(await findEventSettings(ctx.db, companyId, uuid)),
  };
}

/**
 * Changes how the in-app events of an app are shown and count. The windows apply to postbacks from now on; all else also applies to
 * the past too. Throws NotFound; Invalid for a name that the app does not have, and for too many names that decide about payers.
 */
export async function changeAppEvents(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: AppEventsUpdate & { uuid: string },
): Promise<AppEventsSaved> {
  requirePermission(actor, 'app.write');
  const { companyId } = actor;
  const { name } = await getApp(ctx, actor, uuid);
  const { events: inputs = [] } = input;
  return transact(ctx.db, async (tx) => {
    await lockAppsOf(tx, companyId);
    const before = await findEventSettings(tx.db, companyId, uuid);
    await requireExpected(() => before);
    const sources = input.revenue_sources ?? before.revenue_sources;
    const after = {
      click_window_days: input.click_window_days ?? before.click_window_days,
      view_window_days: input.view_window_days ?? before.view_window_days,
      re_engagement_click_window_days:
        input.re_engagement_click_window_days ?? before.re_engagement_click_window_days,
      re_engagement_view_window_days:
        input.re_engagement_view_window_days ?? before.re_engagement_view_window_days,
      revenue_sources: REVENUE_SOURCES.filter((source) => sources.includes(source)),
    };
    await saveEventSettings(tx.db, companyId, uuid, after);

    const updates = new Map(inputs.map((event) => [event.name, event]));
    const events = (await eventsOfApp(tx.db, companyId, uuid, [...updates.keys()])).map(
      ({ first_seen_at: _first, ...event }) => event,
    );
    requireKnown(inputs, events);
    const changed = events.map((event) => {
      const { label = event.label, offered = event.offered, payer = event.payer } = updates.get(event.name)!;
      return { name: event.name, label, offered, payer };
    });
    await saveEventsOfApp(tx.db, companyId, uuid, changed);
    if (changed.some(({ payer }) => payer !== 'purchase')) {
      const { payers } = await eventRulesOf(tx.db, companyId);
      if (payers.length > PAYER_RULES_MAX)
        throw new Invalid([{ field: 'events', message: appApiMessages.payerRulesMax(PAYER_RULES_MAX) }]);
    }
    await recordChange(ctx, tx, actor, {
      entity: 'app',
      uuid,
      name,
      before: loggedOf(before, events),
      after: loggedOf(after, changed),
    });
    return { ...after, events: changed };
  });
}

/** Throws Invalid on the first event of an update whose name the app does not have. */
function requireKnown(inputs: readonly { name: string }[], events: readonly AppEventOfName[]): void {
  const known = new Set(events.map(({ name }) => name));
  const index = inputs.findIndex(({ name }) => !known.has(name));
  if (index < 0) return;
  const message = appApiMessages.unknownAppEvent(inputs[index]!.name);
  throw new Invalid([{ field: `events.${index}.name`, message }]);
}

/** The settings as the log of changes has them: of the events only the settings that differ from the defaults. */
function loggedOf(
  { click_window_days, view_window_days, revenue_sources, ...returns }: AppEventSettings,
  events: readonly AppEventOfName[],
): Record<string, unknown> {
  return {
    event_click_window_days: click_window_days,
    event_view_window_days: view_window_days,
    re_engagement_click_window_days: returns.re_engagement_click_window_days,
    re_engagement_view_window_days: returns.re_engagement_view_window_days,
    event_revenue_sources: revenue_sources.map((source) => source.replaceAll('_', ' ')),
    event_labels: events.flatMap(({ name, label }) => (label === null ? [] : [`${name}: ${label}`])),
    events_not_offered: events.filter(({ offered }) => !offered).map(({ name }) => name),
    event_payers: events.flatMap(({ name, payer }) => (payer === 'purchase' ? [] : [`${name}: ${payer}`])),
  };
}
