import type { User } from '@bidwell/contract/account';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from './queries/account.ts';

const changesAtOnce = 'Changes are approved at once.';

/** What forms say of the review of what they save, by how this server moderates. */
export const reviewSentences = {
  manual: {
    newCreatives: 'Creatives are reviewed before they run.',
    copies: 'The copies are reviewed before they run.',
    changedApp: 'A new title, link or bundle is reviewed again.',
    changedCreative: 'A new URL is reviewed again.',
    changedNative: 'A new headline, sponsor, description or URL is reviewed again.',
  },
  auto: {
    newCreatives: 'Creatives are approved at once.',
    copies: 'The copies are approved at once.',
    changedApp: changesAtOnce,
    changedCreative: changesAtOnce,
    changedNative: changesAtOnce,
  },
} as const satisfies Record<User['moderation'], Record<string, string>>;

const unknown = { newCreatives: '', copies: '', changedApp: '', changedCreative: '', changedNative: '' };

/** The sentences that are true here; empty ones until the server has said how it moderates. */
export function useReviewSentences(): Record<keyof typeof unknown, string> {
  const { data: user } = useQuery(accountQuery);
  // A server of an earlier version does not say it: nothing is said then.
  return { ...unknown, ...(user && reviewSentences[user.moderation]) };
}
