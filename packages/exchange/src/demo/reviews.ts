import { ReviewAccount } from '@bidwell/contract/operator/exchange-review';
import {
  type RegisteredCreative,
  type ReviewCounterpart,
  startReviewCounterpart,
} from '@bidwell/testing/exchange-reviews/review-counterpart';
import { z } from 'zod';
import type { Api } from './api.ts';
import { EXCHANGES } from './exchanges.ts';

/** The banner of Northlight Growth that is disapproved: "Basket Bloom Orchard 320x480". */
const Disapproved = z.object({
  width: z.literal(320),
  height: z.literal(480),
  mobile: z.object({ alternative_landing_page_url: z.string().includes('basketbloom') }),
});
const REVIEWING = EXCHANGES.filter(({ profile }) => profile === 'xandr');
const REASON = 'The brand of the advertiser cannot be recognized';

/** What the audit takes for its member. */
const XANDR = { member: '958', username: 'reviews', password: 'a-password' };

/** The audit of the demo's exchange that reviews creatives. */
export interface DemoReviews {
  counterpart: ReviewCounterpart;
  /** Says whether an earlier start of the demo has a disapproved creative: the audit begins anew when the demo stops. */
  remember(operator: Api): Promise<void>;
}

/** Starts the audit. It approves all creatives but one, and that one too when it is sent again. */
export async function openReviews(): Promise<DemoReviews> {
  const counterpart = await startReviewCounterpart();
  counterpart.xandr = XANDR;
  let wasDisapproved = false;
  counterpart.judge = (creative: RegisteredCreative) => {
    const isDisapproved =
      !wasDisapproved && creative.writes === 1 && Disapproved.safeParse(creative.content).success;
    creative.state = isDisapproved ? 'disapproved' : 'approved';
    creative.reasons = isDisapproved ? [REASON] : [];
  };
  return {
    counterpart,
    async remember(operator) {
      if (counterpart.creatives('xandr').length > 0) return;
      for (const { slug } of REVIEWING) {
        const { creatives } = await operator.get(`/ssps/${slug}/review`, ReviewAccount);
        wasDisapproved ||= creatives.disapproved !== undefined;
      }
    },
  };
}

/** An operator connects the review of the demo's exchange. Throws ApiError. */
export async function connectReviews(operator: Api): Promise<void> {
  const { member: account, username: login, password: secret } = XANDR;
  const settings = { is_enabled: true, account, login, secret };
  for (const { slug } of REVIEWING)
    await operator.send('PUT', `/ssps/${slug}/review`, settings, ReviewAccount);
}
