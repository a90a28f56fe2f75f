import { messages } from '@bidwell/contract/messages';
import { forgetCompany } from '../lib/forget.ts';
import { onRefreshFailure, onSessionEnd } from '../lib/session.ts';
import { toastError } from '../lib/toast.ts';
import { forgetReturnAddress } from '../lib/return-address.ts';

/**
 * What the console does when its session ends, here or in another tab: goes to the login and keeps nothing of the company.
 * Answers how to stop that.
 */
export function watchSession(goToLogin: () => Promise<void>): () => void {
  const stops = [
    onSessionEnd(() => {
      forgetReturnAddress();
      // Cleared once no screen is left that would ask again.
      void goToLogin().finally(forgetCompany);
    }),
    onRefreshFailure(() => toastError(new Error(messages.sessionExpired))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
