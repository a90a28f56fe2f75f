import { APP_EVENT_NAMES_MAX } from '../apps/event-settings.ts';

/** Messages about a goal of Target CPA or Target ROAS whose event an app has never had. */
export const goalNotices = {
  /** `event` is null for any event; `since` is the day on which the app was added. */
  neverArrived: ({ event, app, since }: { event: string | null; app: string; since: string }) =>
    `${event === null ? 'No in-app event' : `No event “${event}”`} has arrived for ${app} since it was added on ${since}.`,
  /** For an app that has as many names of events as are counted. */
  notCounted: (event: string, app: string) =>
    `“${event}” is not among the ${APP_EVENT_NAMES_MAX} event names that are counted for ${app}: events of other names are counted together, as “(other)”. Choose one that is counted.`,
  meanwhile: (adset: string, assumed: string) =>
    `Until one does, ${adset} bids by an assumed value of ${assumed} per install, and by less the more installs bring none.`,
  check: (event: string | null, partner: string) =>
    event === null
      ? `Check that ${partner} sends the postbacks of purchases, with their revenue.`
      : `Check that ${partner} sends the postback of this event, under exactly this name.`,
} as const;
