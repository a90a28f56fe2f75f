import type { Campaign } from '@bidwell/contract/campaigns/schema';

/** The parts of a campaign that wait for an operator's review: 'In moderation: app, 2 creatives'; null when nothing does. */
export function reviewText({ app, creatives, tracking_links: links }: Campaign['in_review']): string | null {
  const parts = [
    ...(app ? ['app'] : []),
    ...(creatives > 0 ? [counted(creatives, 'creative')] : []),
    ...(links > 0 ? [counted(links, 'tracking link')] : []),
  ];
  return parts.length > 0 ? `In moderation: ${parts.join(', ')}` : null;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Says that a campaign in review starts without its owner; null for one that does not, or that runs. */
export function startText({
  status,
  in_review: review,
  start_when_approved: starts,
}: Campaign): string | null {
  return starts && status !== 'Active' && reviewText(review) !== null
    ? 'Starts by itself when approved'
    : null;
}

/** The list with the items in review: the creatives, else the app, else the tracking links. */
export function reviewLink({ app_uuid: app, in_review: review }: Campaign) {
  const tab = review.creatives > 0 ? 'creatives' : review.app ? 'apps' : 'tracking-links';
  return { to: '/assets' as const, search: { tab, status: 'Moderation', app } as const };
}

/** What happens after the review, in a sentence. Pure. */
export const reviewNext = (startsByItself: boolean): string =>
  `The operator reviews it, and you are notified of the decision. ${
    startsByItself
      ? 'The campaign then starts by itself if nothing else is missing.'
      : 'Then start the campaign here.'
  }`;
