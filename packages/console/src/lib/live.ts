import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { notificationsQuery } from './queries/notifications.ts';
import { accessToken, refreshSession } from './session.ts';

/** What the server publishes to a company's open pages. */
type LiveMessage =
  | { type: 'entity'; entity: string; uuid: string; action: string }
  | { type: 'notification'; uuid: string; title: string; text: string }
  | { type: 'totals' };

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
    void import('centrifuge').then(({ Centrifuge, UnauthorizedError }) => {
      if (stopped) return;
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
      let refused: string | null = null;
      const client = new Centrifuge(`${scheme}://${location.host}/connection/websocket`, {
        getToken: async () => {
          const session = refused === null ? null : await refreshSession(refused);
          const token = session?.accessToken ?? (await accessToken());
          if (!token) throw new UnauthorizedError('logged out');
          refused = token;
          return token;
        },
      });
      client.on('publication', ({ data }) => receive(data as LiveMessage));
      client.connect();
      stop = () => client.disconnect();
    });
    return () => {
      stopped = true;
      stop();
    };
  }, [queries, onNotification]);
}
