import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setDisconnected, resetConnection } from '../../lib/live/connection-state.ts';

const RETRY_MS = 5000;

/** Updates the data on the screen from the server's publications while the component is mounted. */
export function useLiveUpdates(onNotification: (title: string, text: string) => void): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    setDisconnected();
    // Loaded lazily, so that the first paint does not wait for the websocket client.
    const load = () =>
      import('./live-updates.ts').then(
        ({ startLiveUpdates }) => {
          if (!stopped) stop = startLiveUpdates(queries, onNotification);
        },
        () => {
          if (!stopped) timer = setTimeout(() => void load(), RETRY_MS);
        },
      );
    void load();
    return () => {
      stopped = true;
      clearTimeout(timer);
      stop();
      resetConnection();
    };
  }, [queries, onNotification]);
}
