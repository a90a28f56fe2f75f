import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveMessage } from './live-client.ts';
import { notificationsQuery } from './queries/notifications.ts';

/** Keeps what is on the screen fresh by the server's publications, while the component is mounted. */
export function useLiveUpdates(onNotification: (title: string, text: string) => void): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    const receive = (message: LiveMessage): void => {
      if (message.type === 'entity') {
        void queries.invalidateQueries({ queryKey: [message.entity] });
        void queries.invalidateQueries({ queryKey: ['changes'] });
      } else if (message.type === 'totals') {
        void queries.invalidateQueries({ queryKey: ['analytics'] });
        void queries.invalidateQueries({ queryKey: ['company'] });
      } else {
        void queries.invalidateQueries({ queryKey: notificationsQuery.queryKey });
        onNotification(message.title, message.text);
      }
    };
    // The first paint does not wait for the websocket's client.
    void import('./live-client.ts').then(({ connectLive }) => {
      // Nobody knows what was published while the connection was away.
      if (!stopped) stop = connectLive(receive, () => void queries.invalidateQueries());
    });
    return () => {
      stopped = true;
      stop();
    };
  }, [queries, onNotification]);
}
