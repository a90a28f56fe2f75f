import { messages } from '@bidwell/contract/text/messages';
import { deleteCompanyData } from '../lib/api/company-data.ts';
import { onRefreshFailure, onSessionEnd } from '../lib/api/session.ts';
import { toastError } from '../lib/toast.ts';
import { deleteReturnAddress } from '../lib/api/return-address.ts';

/**
 * When the session ends, in this tab or another, navigates to the login and deletes the company's data. Shows a toast
 * when a refresh fails. Returns a function that unsubscribes.
 */
export function watchSession(goToLogin: () => Promise<void>): () => void {
  const stops = [
    onSessionEnd(() => {
      deleteReturnAddress();
      // Deleted after the navigation, when no mounted screen would refetch it.
      void goToLogin().finally(deleteCompanyData);
    }),
    onRefreshFailure(() => toastError(new Error(messages.sessionExpired))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
