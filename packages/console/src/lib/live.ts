import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { z } from 'zod';
import { notificationsQuery } from './queries/notifications.ts';
import { accessToken, refreshSession } from './session.ts';

/** What the server publishes to a company's open pages. */
const LiveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('entity'), entity: z.string(), uuid: z.string(), action: z.string() }),
  z.object({ type: z.literal('notification'), uuid: z.string(), title: z.string(), text: z.string() }),
  z.object({ type: z.literal('totals') }),
]);
type LiveMessage = z.infer<typeof LiveMessage>;

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
          if (token === null) throw new UnauthorizedError('logged out');
          refused = token;
          return token;
        },
      });
      client.on('publication', ({ data }) => {
        // A server newer than this page may say what the page does not know.
        const message = LiveMessage.safeParse(data);
        if (message.success) receive(message.data);
      });
      let wasConnected = false;
      client.on('connected', () => {
        // Nobody knows what was published while the connection was away.
        if (wasConnected) void queries.invalidateQueries();
        wasConnected = true;
      });
      client.connect();
      stop = () => client.disconnect();
    });
    return () => {
      stopped = true;
      stop();
    };
  }, [queries, onNotification]);
}
