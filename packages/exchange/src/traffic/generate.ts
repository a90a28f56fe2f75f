import { placeOf } from './places.ts';
import { type Random, integerBetween, logNormal, pickWeighted, uuidFrom } from '../random.ts';
import type { BidRequest, Device, Imp, SupplyChain, Video } from './bid-request.ts';
import { COUNTRIES, type Country, activityAt } from './countries.ts';
import { userAgentOf } from './devices.ts';
import { consentString } from './consent.ts';
import { PEOPLE_PER_WEIGHT, type Person, personOf, regularsOf } from './people.ts';
import { PUBLISHER_APPS, type PublisherApp } from './publishers.ts';
import { SLOTS, type Slot } from './slots.ts';

/** A bid request with its source data, from which rival bids and the person's behaviour are derived. */
export interface Opportunity {
  request: BidRequest;
  person: Person;
  app: PublisherApp;
  /** One per imp, in the same order. */
  slots: Slot[];
}

export interface TrafficOptions {
  random: Random;
  /** Seed of the population; the same number yields the same people. */
  worldSeed: number;
  /** Requires markup to load over https only. */
  secure: boolean;
  /** Placements of its apps; {@link SLOTS} by default. */
  slots?: readonly Slot[] | undefined;
  /** Domain of the exchange, which its supply chains name; without one there are no supply chains. */
  domain?: string | undefined;
  /** What its people are like; by default all are alike, and none consents where the GDPR applies. */
  people?: PeopleOptions | undefined;
}

/** The exchange's ids of a request, and of its user. */
export interface RequestIds {
  request: string;
  user: string;
}

/** What is drawn of a request before it is composed. */
export interface DrawnRequest {
  person: Person;
  ids: RequestIds;
}

/** What the people of the traffic are like. */
export interface PeopleOptions {
  /** Share of the requests that come from the few people who use many apps. */
  regularsShare: number;
  /** The vendor id, by the IAB's Global Vendor List, to which people consent. */
  vendorId: number;
}

/**
 * A generator of in-app bid requests (OpenRTB 2.5). `next(atMs)` generates one for that instant: local activity decides
 * the country, and people, apps and devices recur. Pure except for `random`.
 */
export function createTraffic({
  random,
  worldSeed,
  secure,
  slots: all = SLOTS,
  domain,
  people,
}: TrafficOptions): {
  next(atMs: number): Opportunity;
  /** Like `next`, but composes only a request that is wanted by its person and ids; null for another. */
  nextWanted(atMs: number, isWanted: (drawn: DrawnRequest) => boolean): Opportunity | null;
} {
  /** They come often, and take time to make. */
  const regulars = new Map<Country, Person[]>();
  const regularOf = (country: Country, number: number): Person => {
    const known = regulars.get(country) ?? [];
    regulars.set(country, known);
    return (known[number] ??= personOf(worldSeed, country, number));
  };
  const personAt = (atMs: number): Person => {
    const country = pickWeighted(
      random,
      COUNTRIES,
      ({ weight, utcOffsetMinutes }) => weight * activityAt(atMs, utcOffsetMinutes),
    );
    const isRegular = people !== undefined && random() < people.regularsShare;
    const number = isRegular
      ? integerBetween(random, 0, regularsOf(country) - 1)
      : integerBetween(random, 0, country.weight * PEOPLE_PER_WEIGHT);
    return number < regularsOf(country) ? regularOf(country, number) : personOf(worldSeed, country, number);
  };
  const opportunityOf = (person: Person, ids?: RequestIds): Opportunity => {
    const apps = person.os === 'ios' ? iosApps : androidApps;
    const app = pickWeighted(random, apps, ({ popularity }) => popularity);
    const deviceType = person.device.tablet ? 'tablet' : 'phone';
    const slots = [pickSlot(random, all, deviceType)];
    // A few screens have two ads.
    if (random() < 0.03) slots.push(pickSlot(random, all, deviceType));
    const { country } = person;
    const imps = slots.map((slot, index) => impOf(random, { slot, country, app, secure, index }));
    return { request: requestOf(random, { person, app, imps, domain, people, ids }), person, app, slots };
  };
  return {
    next: (atMs) => opportunityOf(personAt(atMs)),
    nextWanted(atMs, isWanted) {
      const person = personAt(atMs);
      const ids = { request: uuidFrom(random), user: uuidFrom(random) };
      return isWanted({ person, ids }) ? opportunityOf(person, ids) : null;
    },
  };
}

const iosApps = PUBLISHER_APPS.filter(({ os }) => os === 'ios');
const androidApps = PUBLISHER_APPS.filter(({ os }) => os === 'android');

function pickSlot(random: Random, slots: readonly Slot[], deviceType: Slot['on']): Slot {
  return pickWeighted(
    random,
    slots.filter(({ on }) => on === deviceType),
    ({ weight }) => weight,
  );
}

interface ImpSource {
  slot: Slot;
  country: Country;
  app: PublisherApp;
  secure: boolean;
  index: number;
}

function impOf(random: Random, { slot, country, app, secure, index }: ImpSource): Imp {
  const format = slot.sizes.map(([w, h]) => ({ w, h }));
  // Most publishers set a floor at a good part of the slot's typical price; some set none.
  const floor =
    random() < 0.15 ? 0 : logNormal(random, 0.35 * slot.typicalCpmDollars * country.priceLevel, 0.4);
  return {
    id: String(index + 1),
    tagid: `${app.bundle}-${slot.name}`,
    instl: slot.interstitial ? 1 : 0,
    secure: secure ? 1 : 0,
    bidfloor: Math.round(floor * 100) / 100,
    bidfloorcur: 'USD',
    banner: {
      ...format[0]!,
      format,
      pos: slot.position,
      mimes: ['image/jpeg', 'image/png', 'text/html'],
      api: [5],
    },
    ...(slot.interstitial && { video: videoOf(format[0]!) }),
    ...(slot.name.includes('rectangle') && { native: { ver: '1.2', request: NATIVE_REQUEST } }),
  };
}

/** The video object of an interstitial, which has the screen's size. */
function videoOf({ w, h }: { w: number; h: number }): Video {
  return {
    mimes: ['video/mp4'],
    minduration: 3,
    maxduration: 60,
    protocols: [2, 3, 7, 11],
    w,
    h,
    linearity: 1,
    skip: 1,
    skipafter: 5,
    pos: 7,
  };
}

/** The native request that is sent for rectangles. */
const NATIVE_REQUEST = JSON.stringify({
  ver: '1.2',
  context: 1,
  plcmttype: 1,
  eventtrackers: [{ event: 1, methods: [1] }],
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 1, img: { type: 3, wmin: 300, hmin: 157 } },
    { id: 3, img: { type: 1, wmin: 50, hmin: 50 } },
    { id: 4, data: { type: 2, len: 90 } },
    { id: 5, data: { type: 12, len: 15 } },
  ],
});

function requestOf(
  random: Random,
  {
    person,
    app,
    imps,
    domain,
    people,
    ids,
  }: { person: Person; app: PublisherApp; imps: Imp[]; ids: RequestIds | undefined } & Pick<
    TrafficOptions,
    'domain' | 'people'
  >,
): BidRequest {
  const consent =
    people && person.country.gdpr ? consentString(person.consents ? people.vendorId : null) : undefined;
  return {
    id: ids?.request ?? uuidFrom(random),
    at: random() < 0.65 ? 1 : 2,
    tmax: pickWeighted(random, [200, 250, 300, 500], (ms) => (ms === 300 ? 3 : 1)),
    cur: ['USD'],
    imp: imps,
    app: {
      id: app.bundle,
      name: app.name,
      bundle: app.bundle,
      storeurl: app.storeUrl,
      cat: [...app.categories],
      ver: app.version,
      publisher: { id: publisherIdOf(app), name: app.publisher },
    },
    device: deviceOf(random, person),
    user: { id: ids?.user ?? uuidFrom(random), ...(consent !== undefined && { ext: { consent } }) },
    bcat: ['IAB25', 'IAB26', 'IAB9-9'],
    regs: { coppa: 0, ext: { gdpr: person.country.gdpr ? 1 : 0 } },
    source: {
      tid: uuidFrom(random),
      fd: 0,
      ...(domain !== undefined && { ext: { schain: supplyChainOf(app, domain) } }),
    },
  };
}

/** Id of an app's publisher at every exchange. */
export function publisherIdOf({ publisher }: PublisherApp): string {
  return publisher.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

/** The supply chain of an app's request: the publisher sells to the exchange, a few by way of a reseller. */
function supplyChainOf(app: PublisherApp, domain: string): SupplyChain {
  const own = { asi: domain, sid: publisherIdOf(app), hp: 1 } as const;
  const { reseller } = app;
  const nodes = reseller
    ? [
        { asi: reseller, sid: own.sid, hp: 1 as const },
        { ...own, sid: reseller },
      ]
    : [own];
  return { ver: '1.0', complete: app.hasWholeChain ? 1 : 0, nodes };
}

function deviceOf(random: Random, person: Person): Device {
  const { device, country } = person;
  const wifi = random() < 0.6;
  const cellular = random() < country.fiveGShare ? 7 : random() < 0.93 ? 6 : 5;
  return {
    ua: userAgentOf(device, person.osVersion),
    ip: person.ip,
    geo: {
      country: country.code,
      type: 2,
      utcoffset: country.utcOffsetMinutes,
      ...placeOf(country.code, person.ip),
    },
    lmt: person.limitsTracking ? 1 : 0,
    devicetype: device.tablet ? 5 : 4,
    make: device.make,
    model: device.model,
    os: person.os === 'ios' ? 'iOS' : 'Android',
    osv: person.osVersion,
    w: device.width,
    h: device.height,
    language: person.language,
    connectiontype: wifi ? 2 : cellular,
    ...(!wifi && { carrier: person.carrier }),
    ...(!person.limitsTracking && { ifa: person.advertisingId }),
  };
}
