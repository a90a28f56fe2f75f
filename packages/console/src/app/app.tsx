import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { styleNonce } from '../style-nonce.ts';
import { router } from './router.tsx';
import { documentTitle } from './screens.ts';
import { watchSession } from './session-watch.ts';
import { cssVariables, theme } from './theme.ts';
import { Toasts } from './toasts.tsx';

/**
 * Root component: theme, toasts and routes. The query client and dialogs are in the layout, which loads after the
 * login.
 */
export function App() {
  useEffect(() => watchSession(() => router.navigate({ to: '/login' })), []);
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
    </MantineProvider>
  );
}
