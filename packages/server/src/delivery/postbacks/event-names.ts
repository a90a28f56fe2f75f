import { TtlCache } from '../../platform/ttl-cache.ts';

/** Most names of events of an app; further ones are counted together. */
export const EVENT_NAMES_MAX = 500;
/** The name of events beyond them. */
export const OTHER_EVENTS = '(other)';
/** Apps whose names are remembered. */
const APPS_MAX = 500;
const REFRESH_MS = 10 * 60_000;

/** An app of a company. */
export interface AppKey {
  companyId: string;
  appId: string;
}

/** Reads the names of events of an app that were counted recently, at most a number. */
export type ReadEventNames = (app: AppKey, max: number) => Promise<readonly string[]>;

/** The names of the events of each app, in bounded number: they come from outside. */
export class EventNames {
  readonly #read: ReadEventNames;
  readonly #names = new TtlCache<Set<string>>(REFRESH_MS, APPS_MAX);

  constructor(read: ReadEventNames) {
    this.#read = read;
  }

  /** The name under which an event is counted: its own, or {@link OTHER_EVENTS} where the app has too many already. */
  async admit(app: AppKey, name: string): Promise<string> {
    const read = async () => new Set(await this.#read(app, EVENT_NAMES_MAX));
    const names = await this.#names.get(`${app.companyId} ${app.appId}`, read);
    if (names.has(name)) return name;
    if (names.size >= EVENT_NAMES_MAX) return OTHER_EVENTS;
    names.add(name);
    return name;
  }
}
