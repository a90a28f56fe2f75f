import { COUNTRIES, shortCodeOf } from '../../traffic/countries.ts';
import { type OwnedApp, type Person, isAwayFrom, knownIdOf, ownersOf } from '../../traffic/people.ts';
import { hashOf } from '../../random.ts';

/**
 * The people of the traffic who have an app: who were in it lately, or not, and of these the people whom a re-engagement campaign reaches, since
 * others get to know their id.
 */
export type Owners = 'active' | 'away' | 'reached';

/** Finds the people of the traffic who did what the history has: all of them have the app afterwards. */
export type FindOwner = (app: OwnedApp, country: string, bidId: string, which: Owners) => Person | null;

/** Whether a re-engagement campaign for an app reaches a person: its audience are people who were away from it. */
export function isReached(person: Person, app: string): boolean {
  return knownIdOf(person) !== null && isAwayFrom(person, app);
}

/** A function that finds the person of a bid in a country (ISO 3166-1 alpha-2): the same for each bid; null where no one has the app. */
export function ownerFinder(worldSeed: number): FindOwner {
  const known = new Map<string, readonly Person[]>();
  const taken = new Map<string, Person>();
  const counts = new Map<string, number>();
  return (app, countryCode, bidId, which) => {
    const key = `${which} ${app.name} ${app.os} ${countryCode}`;
    let owners = known.get(key);
    if (!owners) {
      const country = COUNTRIES.find(({ code }) => shortCodeOf(code) === countryCode);
      const all = country ? ownersOf(worldSeed, country, app) : [];
      known.set(
        key,
        (owners = all
          .filter((person) => isOneOf(which, person, app.name))
          .toSorted((a, b) => Number(knownIdOf(a) === null) - Number(knownIdOf(b) === null))),
      );
    }
    if (owners.length === 0) return null;
    if (which !== 'away') return owners[hashOf(bidId) % owners.length]!;
    // One after another, so that a campaign reaches no one of whom no partner has reported.
    let owner = taken.get(bidId);
    if (!owner) {
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      taken.set(bidId, (owner = owners[count % owners.length]!));
    }
    return owner;
  };
}

function isOneOf(which: Owners, person: Person, app: string): boolean {
  if (which === 'reached') return isReached(person, app);
  return isAwayFrom(person, app) === (which === 'away');
}
