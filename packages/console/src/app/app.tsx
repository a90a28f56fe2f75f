import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryClient } from '../lib/query-client.ts';
import { router } from './router.tsx';
import { documentTitle } from './screens.ts';
import { watchSession } from './session-watch.ts';
import { cssVariables, theme } from './theme.ts';

/** The console: theme, toasts, server data and routes. Dialogs come with the layout: the login needs none. */
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
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="top-right" aria-live="polite" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
