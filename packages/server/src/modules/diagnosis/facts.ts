import type { AdsetDelivery } from '@bidwell/contract/delivery-report';
import type { Market } from '../../delivery/funnel/market.ts';

/** Review status of what an ad set shows: `Approved` if an approved version runs. */
export type Review = 'Approved' | 'Moderation' | 'Rejected';

/** What is known of an ad set when its delivery is diagnosed. Money in dollars. */
export interface AdsetFacts {
  uuid: string;
  name: string;
  isActive: boolean;
  algorithm: string;
  betCpm: number;
  betCpi: number | null;
  dailyBudget: number | null;
  totalBudget: number | null;
  appUuid: string;
  target: { uuid: string };
  link: { uuid: string; name: string; review: Review };
  /** Reviews of the creatives of its running groups that are of the campaign's app. */
  creatives: readonly Review[];
  /** Spend of all time. */
  spentEver: number;
  delivery: AdsetDelivery;
  /** A replay of the newest sampled requests; null where the ad set does not run, or loses little. */
  market: Market | null;
}

/** What is known of a campaign when its delivery is diagnosed. */
export interface CampaignFacts {
  uuid: string;
  isActive: boolean;
  /** YYYY-MM-DD; null is unbounded. */
  startDate: string | null;
  endDate: string | null;
  /** Today, and the viewed range, in the company's time zone. */
  today: string;
  range: { start: string; end: string };
  app: { uuid: string; name: string; review: Review };
  isSuspended: boolean;
  /** Dollars that may still be spent: the balance and the credit limit. */
  available: number;
  isBiddingStopped: boolean;
  /** Exchanges that are on. */
  exchanges: number;
  adsets: readonly AdsetFacts[];
  /** Postbacks of the last 30 days from the app's measurement partner. */
  postbacks: { received: number; refused: number };
}
