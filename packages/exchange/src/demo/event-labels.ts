import { AppEvents, AppEventsSaved } from '@bidwell/contract/apps/event-settings';
import { App } from '@bidwell/contract/apps/schema';
import { z } from 'zod';
import type { AppModel } from '../in-app-behaviour.ts';
import type { Api } from './api.ts';
import type { CompanyPlan } from './plan.ts';

/** The advertisers' labels of the events that their apps send, by the name of the event. */
const LABELS: Record<AppModel, Readonly<Record<string, string>>> = {
  game: {
    tutorial_complete: 'Tutorial completed',
    ad_revenue: 'Ads shown',
    purchase: 'Purchase',
    refund: 'Refund',
  },
  shop: { sign_up: 'Account created', open: 'App opened', purchase: 'Order', refund: 'Refund' },
  subscription: { session: 'Session', trial_start: 'Trial started', subscribe: 'Subscription' },
  rides: { sign_up: 'Account created', open: 'App opened', ride: 'Ride' },
};

/** Gives the events that a company's apps have sent their labels, as the company's user. Throws ApiError. */
export async function labelEvents(api: Api, { apps }: CompanyPlan): Promise<void> {
  const { apps: made } = await api.get('/app', z.object({ apps: z.array(App) }));
  for (const { name: appName, model } of apps) {
    const path = `/app/${made.find(({ name }) => name === appName)!.uuid}/events`;
    const { events } = await api.get(path, AppEvents);
    const labelled = events.flatMap(({ name }) =>
      LABELS[model][name] === undefined ? [] : { name, label: LABELS[model][name] },
    );
    if (labelled.length > 0) await api.send('PUT', path, { events: labelled }, AppEventsSaved);
  }
}
