import type { Placement } from '../../../delivery/public.ts';
import type { Review } from './facts.ts';

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
