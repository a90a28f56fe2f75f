import { COUNTRIES, shortCodeOf } from '../../traffic/countries.ts';
import { type OwnedApp, type Person, ownersOf } from '../../traffic/people.ts';
import { hashOf } from '../../random.ts';

/** Finds the people of the traffic who did what the history has: all of them have the app afterwards. */
export type FindOwner = (app: OwnedApp, country: string, bidId: string) => Person | null;

/** A function that finds the person of a bid in a country (ISO 3166-1 alpha-2): the same for each bid; null where no one has the app. */
export function ownerFinder(worldSeed: number): FindOwner {
  const known = new Map<string, readonly Person[]>();
  return (app, countryCode, bidId) => {
    const key = `${app.name} ${app.os} ${countryCode}`;
    let owners = known.get(key);
    if (!owners) {
      const country = COUNTRIES.find(({ code }) => shortCodeOf(code) === countryCode);
      known.set(key, (owners = country ? ownersOf(worldSeed, country, app) : []));
    }
    return owners.length === 0 ? null : owners[hashOf(bidId) % owners.length]!;
  };
}
