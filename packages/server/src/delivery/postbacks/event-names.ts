import { APP_EVENT_NAMES_MAX } from '@bidwell/contract/apps/event-settings';
import type { Database } from '../../platform/postgres/client.ts';
import { type NamedEvent, addName, countNames, knownNames } from './event-name-store.ts';

/** The name of events beyond the names that an app may have, and of new ones of a deleted app. */
export const OTHER_EVENTS = '(other)';

/** The names of events that a batch of postbacks has, as far as their apps have them. */
export interface EventNames {
  /** The name under which an event is counted: its own, or {@link OTHER_EVENTS} where the app has too many already. */
  admit(event: NamedEvent, at: Date): Promise<string>;
}

/**
 * Reads which names of a batch are known. The names of each app are in bounded number, in all trackers together: they come from
 * outside.
 */
export async function readEventNames(db: Database, events: readonly NamedEvent[]): Promise<EventNames> {
  const distinct = [...new Map(events.map((event) => [keyOf(event), event])).values()];
  const known = new Set((await knownNames(db, distinct)).map(keyOf));
  const unknown = distinct.filter((event) => !known.has(keyOf(event)));
  const counts = await countNames(db, [...new Set(unknown.map(({ appId }) => appId))]);
  const full = new Set(
    [...counts].flatMap(([appId, count]) => (count >= APP_EVENT_NAMES_MAX ? [appId] : [])),
  );
  return {
    async admit(event, at) {
      const key = keyOf(event);
      if (known.has(key)) return event.name;
      if (event.name === OTHER_EVENTS || full.has(event.appId)) return OTHER_EVENTS;
      if (await addName(db, event, at, APP_EVENT_NAMES_MAX)) {
        known.add(key);
        return event.name;
      }
      full.add(event.appId);
      return OTHER_EVENTS;
    },
  };
}

function keyOf({ appId, name }: Pick<NamedEvent, 'appId' | 'name'>): string {
  return `${appId} ${name}`;
}
