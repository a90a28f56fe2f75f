import { LiveMessage } from '@bidwell/contract/live';
import { Centrifuge, UnauthorizedError } from 'centrifuge';
import { connectionIsAway, connectionStands } from './live-state.ts';
import { accessToken, refreshSession } from './session.ts';

/** What becomes of a connection. */
export interface LiveListener {
  receive(message: LiveMessage): void;
  /** The connection stands for the first time; what was published before it is unknown. */
  opened(): void;
  /** It stands again. All that is kept was received, unless `missed` is called as well. */
  back(): void;
  /** Some of what was published meanwhile is lost. */
  missed(): void;
}

/** How long after the server has shown this page out it looks whether it may come back. */
const SHOWN_OUT_MS = 5000;
const INVALID_TOKEN = 3500;

/** Opens the websocket of the session. Answers how to close it. */
export function connectLive(listener: LiveListener): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  let refused: string | null = null;
  let hasStood = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
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
    if (message.success) listener.receive(message.data);
  });
  client.on('connected', () => {
    connectionStands();
    if (hasStood) listener.back();
    else listener.opened();
    hasStood = true;
  });
  // What a channel kept meanwhile follows as publications, each once.
  client.on('subscribed', ({ wasRecovering, recovered }) => {
    if (wasRecovering && !recovered) listener.missed();
  });
  client.on('connecting', () => connectionIsAway());
  client.on('disconnected', ({ code }) => {
    connectionIsAway();
    if (isClosed) return;
    timer = setTimeout(() => {
      // A session that ended ends here, too; one that was only renewed connects again.
      const session = code === INVALID_TOKEN ? refreshSession(refused) : accessToken();
      void session.catch(() => {}).then(() => !isClosed && client.connect());
    }, SHOWN_OUT_MS);
  });
  client.connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    client.disconnect();
  };
}
