import type { Context } from '@bidwell/server/context';
import { groupBy } from '@bidwell/server/platform/group-by';
import { type Random, hashOf, pick, pickWeighted, seededRandom } from '../../random.ts';
import type { Install } from '../../skadnetwork/scheduled-postbacks.ts';
import type { ShownAd } from '../../skadnetwork/shown-ad.ts';
import { type Deed, valuesOf } from './conversion-values.ts';
import { NETWORK_ID, OTHER_NETWORKS, listsNetwork } from './network.ts';

const DAY_MS = 86_400_000;
const MICROS = 1_000_000;
/** Shares of devices that choose AdAttributionKit, and that have an iOS for SKAdNetwork 3.0 only. */
const KIT_SHARE = 0.25;
const OLD_SHARE = 0.08;
/** Share of installs of people who had the app before. */
const AGAIN_SHARE = 0.07;
/** Share of people to whom another network has shown an ad of the app too, and share of these ads with a click. */
const RIVAL_SHARE = 0.3;
const RIVAL_CLICK_SHARE = 0.25;
/** How often the crowds of Apple's tiers occur. */
const TIERS = [0, 1, 2, 3] as const;
const TIER_WEIGHTS = [6, 22, 32, 40];

/** A device: the ads that it has shown, and how its person came to the app. */
export interface PersonOnIos {
  shown: ShownAd[];
  install: Install;
}

/** The facts of an advertised app. */
export interface AdvertisedApp {
  companyId: string;
  appId: string;
  itemId: number;
  /** The four digits of each ad set. */
  identifiers: ReadonlyMap<string, string>;
}

interface InstallRow {
  bid: string;
  at: number;
  adset: string;
  bundle: string;
  country: string;
  clicked: number;
}

/**
 * The devices on which the app was installed since an instant, after ads in apps that list the network: the devices of the events that are
 * stored, with what their people did in the app until now. Only ads since then were signed.
 */
export async function peopleSince(
  { clickhouse }: Pick<Context, 'clickhouse'>,
  app: AdvertisedApp,
  sinceMs: number,
): Promise<PersonOnIos[]> {
  const scope = { companyId: app.companyId, appId: app.appId, sinceMs };
  const where = `company_id = {companyId:UUID} and app_id = {appId:UUID} and time >= fromUnixTimestamp64Milli({sinceMs:Int64})`;
  const installs = await clickhouse.query<InstallRow>(
    `select toString(bid_id) as bid, toUnixTimestamp64Milli(time) as at, toString(adset_id) as adset, bundle, country,
       bid_id in (select bid_id from events where ${where} and kind = 'click') as clicked
     from events where ${where} and kind = 'install' order by time, bid_id`,
    scope,
  );
  const deeds = await clickhouse.query<Deed & { bid: string; at: number; micros: number }>(
    `select toString(click_bid_id) as bid, event_name as name, toUnixTimestamp64Milli(event_at) as at, revenue_micros as micros
     from events where ${where} and kind = 'app_event' order by event_at, bid_id`,
    scope,
  );
  const deedsOf = groupBy(deeds, ({ bid }) => bid);
  return installs.flatMap((install) => {
    const bidMs = msOfBid(install.bid);
    const digits = app.identifiers.get(install.adset);
    if (bidMs < sinceMs || digits === undefined || !listsNetwork(install.bundle)) return [];
    const done = (deedsOf.get(install.bid) ?? []).map(({ name, at, micros }) => ({
      name,
      afterMs: at - install.at,
      dollars: micros / MICROS,
    }));
    return [personOf({ install, bidMs, digits, itemId: app.itemId, done })];
  });
}

/** The time of a bid's id, a UUIDv7. */
function msOfBid(bid: string): number {
  return Number.parseInt(bid.replaceAll('-', '').slice(0, 12), 16);
}

function personOf({
  install: { bid, at, bundle, country, clicked },
  bidMs,
  digits,
  itemId,
  done,
}: {
  install: InstallRow;
  bidMs: number;
  digits: string;
  itemId: number;
  done: readonly Deed[];
}): PersonOnIos {
  const random = seededRandom(hashOf(bid));
  const own: ShownAd = {
    ...frameworkOf(random),
    networkId: NETWORK_ID,
    sourceIdentifier: digits,
    itemId,
    sourceAppId: Number(bundle),
    fidelity: clicked === 1 ? 1 : 0,
    atMs: bidMs,
  };
  const rivals = random() < RIVAL_SHARE ? [rivalOf(own, random)] : [];
  return {
    shown: [own, ...rivals],
    install: {
      itemId,
      installedMs: at,
      launchedMs: at,
      isRedownload: random() < AGAIN_SHARE,
      tier: pickWeighted(random, TIERS, (tier) => TIER_WEIGHTS[tier]!),
      ...valuesOf(done),
      country,
    },
  };
}

function frameworkOf(random: Random): Pick<ShownAd, 'framework' | 'version'> {
  if (random() < KIT_SHARE) return { framework: 'adattributionkit', version: '4.0' };
  return { framework: 'skadnetwork', version: random() < OLD_SHARE ? '3.0' : '4.0' };
}

/** An ad of the same app that another network had shown on the device within the day before. */
function rivalOf(own: ShownAd, random: Random): ShownAd {
  return {
    ...own,
    networkId: pick(random, OTHER_NETWORKS),
    sourceIdentifier: '1000',
    fidelity: random() < RIVAL_CLICK_SHARE ? 1 : 0,
    atMs: own.atMs - random() * DAY_MS,
  };
}
