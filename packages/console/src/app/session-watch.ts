import { messages } from '@bidwell/contract/messages';
import { forgetCompany } from '../lib/forget.ts';
import { onRefreshFailure, onSessionEnd } from '../lib/session.ts';
import { toastError } from '../lib/toast.ts';
import { forgetReturnAddress } from '../lib/return-address.ts';

/**
 * When the session ends, in this tab or another, navigates to the login and deletes the company's data. Shows a toast
 * when a refresh fails. Returns a function that unsubscribes.
 */
export function watchSession(goToLogin: () => Promise<void>): () => void {
  const stops = [
    onSessionEnd(() => {
      forgetReturnAddress();
      // Deleted after the navigation, when no mounted screen would refetch it.
      void goToLogin().finally(forgetCompany);
    }),
    onRefreshFailure(() => toastError(new Error(messages.sessionExpired))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
