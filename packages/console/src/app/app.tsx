import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { styleNonce } from '../style-nonce.ts';
import noticeClasses from '../ui/layout/connection-notice.module.css';
import { router } from './router.tsx';
import { documentTitle } from './screens.ts';
import { cssVariables, theme } from './theme.ts';
import { deleteCompanyData } from '../lib/api/company-data.ts';
import { onRefreshFailure, onSessionEnd } from '../lib/api/session.ts';
import { toastError, onToastsLoaded, loadedToasts } from '../lib/toast.ts';
import { useAwayNotice } from '../lib/load-code.ts';
import { deleteReturnAddress, rememberReturnAddress } from '../lib/api/return-address.ts';

/**
 * Root component: theme, toasts and routes. The query client and dialogs are in the layout, which loads after the
 * login.
 */
export function App() {
  useEffect(() => watchSession(showLogin), []);
  useEffect(
    () =>
      router.subscribe('onResolved', ({ toLocation }) => {
        document.title = documentTitle(toLocation.pathname.replace(/(?<=.)\/$/, ''));
      }),
    [],
  );
  return (
    <MantineProvider
      getStyleNonce={() => styleNonce}
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
    >
      <Toasts />
      <RouterProvider router={router} />
      <AwayNotice />
    </MantineProvider>
  );
}

/**
 * When the session ends, in this tab or another, navigates to the login and deletes the company's data. Shows a toast
 * when a refresh fails. Returns a function that unsubscribes.
 */
function watchSession(goToLogin: () => Promise<void>): () => void {
  const stops = [
    onSessionEnd(({ isOver, userId: owner }) => {
      if (!isOver) deleteReturnAddress();
      else if (owner !== null) rememberReturnAddress(router.state.location.href, owner);
      // Deleted after the navigation, when no mounted screen would refetch it.
      void goToLogin().finally(deleteCompanyData);
    }),
    onRefreshFailure(() => toastError(new Error(accountMessages.sessionExpired))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** An invitation stays on the screen: who has no session joins as a new person. */
async function showLogin(): Promise<void> {
  if (router.state.location.pathname === '/invitation') return;
  // The input is stored: no question is needed.
  await router.navigate({ to: '/login', ignoreBlocker: true });
}

/** Container of the toasts; empty until the toast library is loaded. */
function Toasts() {
  const library = useSyncExternalStore(onToastsLoaded, loadedToasts);
  return library && <library.Notifications position="top-right" aria-live="polite" />;
}

/** Notice at the lower edge of every page that the browser is offline, or that a screen waits for the server. */
function AwayNotice() {
  const notice = useAwayNotice();
  const isOffline = notice === 'offline' || notice === 'offline-opening';
  // Dims figures, which may be out of date.
  useEffect(() => void document.documentElement.toggleAttribute('data-offline', isOffline), [isOffline]);
  return (
    <div role="status" className={noticeClasses['container']}>
      {notice && <div className={noticeClasses['notice']}>{consoleMessages.away[notice]}</div>}
    </div>
  );
}
