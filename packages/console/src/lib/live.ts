import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connectionIsAway, forgetConnection } from './live-state.ts';

const AGAIN_MS = 5000;

/** Updates the data on the screen from the server's publications while the component is mounted. */
export function useLiveUpdates(onNotification: (title: string, text: string) => void): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    connectionIsAway();
    // Loaded lazily, so that the first paint does not wait for the websocket client.
    const begin = () =>
      import('./live-updates.ts').then(
        ({ startLiveUpdates }) => {
          if (!stopped) stop = startLiveUpdates(queries, onNotification);
        },
        () => {
          if (!stopped) timer = setTimeout(() => void begin(), AGAIN_MS);
        },
      );
    void begin();
    return () => {
      stopped = true;
      clearTimeout(timer);
      stop();
      forgetConnection();
    };
  }, [queries, onNotification]);
}
