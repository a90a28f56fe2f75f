import { Centrifuge, UnauthorizedError } from 'centrifuge';
import { z } from 'zod';
import { accessToken, refreshSession } from './session.ts';

/** What the server publishes to a company's open pages. */
const LiveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('entity'), entity: z.string(), uuid: z.string(), action: z.string() }),
  z.object({ type: z.literal('notification'), uuid: z.string(), title: z.string(), text: z.string() }),
  z.object({ type: z.literal('totals') }),
]);
export type LiveMessage = z.infer<typeof LiveMessage>;

/**
 * Opens the websocket of the session: `receive` gets what the server publishes, `caughtUp` is called when the connection is
 * back after it was away. Answers how to close it.
 */
export function connectLive(receive: (message: LiveMessage) => void, caughtUp: () => void): () => void {
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
    if (wasConnected) caughtUp();
    wasConnected = true;
  });
  client.connect();
  return () => client.disconnect();
}
