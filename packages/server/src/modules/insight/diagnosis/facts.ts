import type { Algorithm } from '@bidwell/contract/adsets/goals';
import type { FrequencyCap } from '@bidwell/contract/frequency/caps';
import type { GoalField } from '@bidwell/contract/adsets/missing-goal';
import type { StoredReviewState } from '@bidwell/contract/creatives/exchange-reviews';
import type { AdsetDelivery } from '@bidwell/contract/insight/delivery-report';
import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import type { Finding } from '@bidwell/contract/insight/finding';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import type { Market, Placement } from '../../../delivery/public.ts';

/** Review status of an ad or its text: `Approved` if an approved version runs. */
export type Review = 'Approved' | 'Moderation' | 'Rejected';

/** Why an ad set does not get requests: they left the funnel, or its bids do not win. */
export type LossCause = FunnelExit | 'unwon';

/** A finding with its cost: requests that would have become bids without it. */
export interface Loss {
  cause: LossCause;
  finding: Finding;
  bids: number;
}

/** Days of events that bidders learn from, whichever range is viewed. */
export const LEARNED_DAYS = 30;

/** An exchange that has not approved a creative, and why. */
export interface Withheld {
  exchange: string;
  state: StoredReviewState;
  reasons: readonly string[];
  /** Why it does not take the creative as it is; null where it is sent by itself. */
  heldBecause: string | null;
}

/** Included audiences that let no bid of an ad set through. */
export interface UnreachableAudiences {
  /** `empty`: none of them has people; the others: they are left out too, by a list or as the people who have the app. */
  because: 'empty' | 'excluded' | 'installed';
  names: readonly string[];
  /** What includes them, and what leaves them out: the ad set or its target. */
  includedBy: 'adset' | 'target';
  excludedBy: 'adset' | 'target';
}

/** The facts of an ad set for the diagnosis of its delivery. Money in dollars. */
export interface AdsetFacts {
  uuid: string;
  name: string;
  isActive: boolean;
  algorithm: Algorithm;
  betCpm: number;
  betCpi: number | null;
  cpa: number | null;
  /** Percent. */
  roas: number | null;
  /** The first field of its bid strategy's goal that is empty; null if none is. */
  missingGoal: GoalField | null;
  /** Whether it includes no audience although its campaign is of re-engagement. */
  lacksAudience: boolean;
  /** Whether it includes and excludes audiences itself, which its target may do too; and whether it skips people who cannot be looked up. */
  ownAudiences: { include: boolean; exclude: boolean; skips: boolean };
  /** Included audiences that let none of its bids through, of its own list or its target's; null for none. */
  unreachable: UnreachableAudiences | null;
  /** Name of the event that it buys; null for none. */
  goalEvent: string | null;
  /** Whether an event of its goal has ever come for the app, for Target ROAS any event; true for the other bid strategies. */
  hasGoalArrived: boolean;
  /** Whether its app has as many names of events as are counted: events of another name are counted under none. */
  hasAllEventNames: boolean;
  /** Countries for which it has a daily budget. */
  budgetCountries: readonly string[];
  /** The hours of a week in which it bids, in words with their time zone; null for all. */
  hours: string | null;
  dailyBudget: number | null;
  totalBudget: number | null;
  /** Its own frequency caps, and the caps of its campaign. */
  caps: readonly FrequencyCap[];
  campaign: { uuid: string; caps: readonly FrequencyCap[] };
  appUuid: string;
  target: { uuid: string };
  link: { uuid: string; name: string; review: Review };
  /** Reviews of the creatives of its running groups that are of the campaign's app. */
  creatives: readonly Review[];
  /** Its creatives that exchanges have not approved, and what these say. */
  notApproved: readonly { uuid: string; creative: string; at: readonly Withheld[] }[];
  /** Days of the viewed range for which it ran, in fractions. */
  ranDays: number;
  /** Reasons that were findings when this was last diagnosed: they stay findings until they are clearly none. */
  before: ReadonlySet<LossCause>;
  /** Whether its bids would be signed for SKAdNetwork, but all numbers of its app in the store are in use. */
  lacksSourceIdentifier: boolean;
  /** Spend of all time. */
  spentEver: number;
  delivery: AdsetDelivery;
  /** Installs of the last {@link LEARNED_DAYS} days. */
  knownInstalls: number;
  /** A replay of the newest sampled requests; null where the ad set does not run, or loses little. */
  market: Market | null;
}

/** An exchange that is on, as far as bids of iOS apps are signed there. */
export interface ExchangeSigning {
  name: string;
  isOn: boolean;
  /** Requests of iOS apps of the last 7 days, and whether bids on them could be signed; empty where none were counted. */
  outcomes: Partial<Record<SkadnetworkOutcome, number>>;
}

/** How bids of an iOS app are signed for SKAdNetwork and AdAttributionKit. */
export interface SigningFacts {
  /** Whether the installation has an ad network with a private key: without one no bid is signed. */
  hasNetwork: boolean;
  isAppOn: boolean;
  exchanges: readonly ExchangeSigning[];
}

/** The facts of a campaign for the diagnosis of its delivery. */
export interface CampaignFacts {
  uuid: string;
  isActive: boolean;
  /** YYYY-MM-DD; null is unbounded. */
  startDate: string | null;
  endDate: string | null;
  /** HH:MM; null for the whole day. */
  startTime: string | null;
  endTime: string | null;
  /** Today, the time, HH:MM, and the viewed range, in the company's time zone. */
  today: string;
  time: string;
  range: { start: string; end: string };
  app: {
    uuid: string;
    name: string;
    review: Review;
    /** YYYY-MM-DD in the company's time zone. */
    addedOn: string;
    /** Its measurement partner, as a sentence names it. */
    partner: string;
  };
  isSuspended: boolean;
  /** Dollars that may still be spent: the balance and the credit limit. */
  available: number;
  isBiddingStopped: boolean;
  /** Exchanges that are on. */
  exchanges: number;
  adsets: readonly AdsetFacts[];
  /** Null unless the app is an iOS app. */
  signing: SigningFacts | null;
  /** Postbacks of the last 30 days from the app's measurement partner. */
  postbacks: { received: number; rejected: number };
}

/** A creative that is not archived, and all that decides whether it is shown. */
export interface CreativeFacts {
  uuid: string;
  appUuid: string;
  appName: string;
  type: 'Banner' | 'Video' | 'Playable' | 'Native';
  /** `320×50`; '' for a playable. */
  size: string;
  review: Review;
  rejectionReason: string | null;
  /** Names of the exchanges for which its bids were too long in the last days. */
  tooLargeFor: readonly string[];
  /** The exchanges that have not approved it. */
  notApprovedAt: readonly Withheld[];
  groups: readonly { uuid: string; name: string; state: 'running' | 'paused' | 'archived' }[];
  /** Ad sets for its app, not archived, with one of its running groups. */
  uses: readonly CreativeUse[];
}

/** A creative in an ad set. */
export interface CreativeUse {
  adset: { uuid: string; name: string };
  /** Null for an ad set of no campaign. */
  campaign: { uuid: string; name: string } | null;
  /** Whether ad set and campaign are active. */
  isActive: boolean;
  /** Whether the bidder bids for the ad set, and whether it has the creative. */
  isBidding: boolean;
  isServed: boolean;
  /** Impressions of the creative and of the ad set in the range. */
  impressions: number;
  adsetImpressions: number;
  /** The creative with the most impressions of the ad set. */
  leader: { uuid: string; name: string; impressions: number } | null;
  /** A replay of the newest sampled requests; null where none was made. */
  placement: Placement | null;
}
