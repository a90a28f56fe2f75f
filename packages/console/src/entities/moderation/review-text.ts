import type { User } from '@bidwell/contract/accounts/schema';
import { useKnown } from '../../lib/loadable.ts';
import { accountQuery } from '../../lib/api/account.ts';

const changesAtOnce = 'Changes are approved at once.';

/** What forms say about the review of saved changes, by the server's moderation mode. */
export const reviewSentences = {
  manual: {
    newCreatives: 'Creatives are reviewed before they run.',
    copies: 'The copies are reviewed before they run.',
    changedApp: 'A new title, link or bundle is reviewed again.',
    changedCreative: 'A new URL is reviewed again.',
    changedNative: 'A new headline, sponsor, description or URL is reviewed again.',
    startsByItself:
      'Once the app, the creatives and the tracking link are reviewed. Without it you start the campaign yourself.',
  },
  auto: {
    newCreatives: 'Creatives are approved at once.',
    copies: 'The copies are approved at once.',
    changedApp: changesAtOnce,
    changedCreative: changesAtOnce,
    changedNative: changesAtOnce,
    startsByItself:
      'Once it is saved with everything that it needs. Without it you start the campaign yourself.',
  },
} as const satisfies Record<User['moderation'], Record<string, string>>;

const unknown = {
  newCreatives: '',
  copies: '',
  changedApp: '',
  changedCreative: '',
  changedNative: '',
  startsByItself: '',
};

/** The sentences for this server; empty until the account is loaded. */
export function useReviewSentences(): Record<keyof typeof unknown, string> {
  const user = useKnown(accountQuery);
  // An older server does not report its moderation mode; the sentences stay empty then.
  return { ...unknown, ...(user && reviewSentences[user.moderation]) };
}
