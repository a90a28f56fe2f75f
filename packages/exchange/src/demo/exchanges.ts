import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import type { PeopleOptions } from '../traffic/generate.ts';
import type { ChargeOn } from '@bidwell/contract/operator/schema';
import type { PersonalityName } from '../personality.ts';

/** An exchange of the demo. */
export interface ExchangePlan {
  slug: string;
  name: string;
  /** Its domain in supply chains and in app-ads.txt files. */
  domain: string;
  chargeOn: ChargeOn;
  /** Whose rules its bids follow; OpenRTB's without one. */
  profile?: ProfileSlug;
  personality: PersonalityName;
  /** Its part of all bid requests. */
  share: number;
}

/** Bid requests of all exchanges of the demo: so few that the first start can write the history, which ends with as many. */
export const REQUESTS_PER_SECOND = 1.2;

/** Seed of the publishers and of the history, which is the same for each first start at the same time, except for ids. */
export const WORLD_SEED = 20_260_701;

/** The people of the demo, in the history as in the live traffic. Some of them are in the live audiences of the apps. */
export const PEOPLE: PeopleOptions = {
  regularsShare: 0.45,
  // Of no vendor in the IAB's Global Vendor List: the people are made up, too.
  vendorId: 65_000,
};

/** The exchanges of the demo: two that work well, one that loses notices, and one whose requests are often faulty. */
export const EXCHANGES: readonly ExchangePlan[] = [
  {
    slug: 'bluepeak',
    name: 'Bluepeak',
    domain: 'bluepeak.example',
    chargeOn: 'billing',
    personality: 'standard',
    share: 0.07,
  },
  {
    slug: 'meridian',
    name: 'Meridian Exchange',
    domain: 'meridian-exchange.example',
    chargeOn: 'impression',
    personality: 'silent',
    share: 0.87,
  },
  {
    slug: 'larkfield',
    name: 'Larkfield Media',
    domain: 'larkfield.example',
    chargeOn: 'billing',
    profile: 'xandr',
    personality: 'lossy',
    share: 0.03,
  },
  {
    slug: 'northgate',
    name: 'Northgate Mobile',
    domain: 'northgate.example',
    chargeOn: 'billing',
    personality: 'malformed',
    share: 0.03,
  },
];
