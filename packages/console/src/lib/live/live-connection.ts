import { LiveMessage } from '@bidwell/contract/live/schema';
import { Centrifuge, UnauthorizedError } from 'centrifuge';
import { setDisconnected, setConnected } from './connection-state.ts';
import { accessToken, refreshSession } from '../api/session.ts';

/** Callbacks of the websocket connection. */
export interface LiveHandlers {
  onMessage(message: LiveMessage): void;
  /** Connected for the first time; earlier publications were not received. */
  onConnected(): void;
  /** Reconnected. The retained publications were received, unless `onMissed` is called as well. */
  onReconnected(): void;
  /** Publications were lost while disconnected. */
  onMissed(): void;
}

/** Delay before the page reconnects after the server has disconnected it. */
const RECONNECT_MS = 5000;
const INVALID_TOKEN = 3500;

/** Opens the session's websocket. Returns a function that closes it. */
export function openLiveConnection(handlers: LiveHandlers): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  let rejectedToken: string | null = null;
  let wasConnected = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const client = new Centrifuge(`${scheme}://${location.host}/connection/websocket`, {
    getToken: async () => {
      const session = rejectedToken === null ? null : await refreshSession(rejectedToken);
      const token = session?.accessToken ?? (await accessToken());
      if (token === null) throw new UnauthorizedError('logged out');
      rejectedToken = token;
      return token;
    },
  });
  client.on('publication', ({ data }) => {
    // A newer server may send messages that this page cannot parse.
    const message = LiveMessage.safeParse(data);
    if (message.success) handlers.onMessage(message.data);
  });
  client.on('connected', () => {
    setConnected();
    if (wasConnected) handlers.onReconnected();
    else handlers.onConnected();
    wasConnected = true;
  });
  // The publications that a channel retained meanwhile follow, each once.
  client.on('subscribed', ({ wasRecovering, recovered }) => {
    if (wasRecovering && !recovered) handlers.onMissed();
  });
  client.on('connecting', () => setDisconnected());
  client.on('disconnected', ({ code }) => {
    setDisconnected();
    if (isClosed) return;
    timer = setTimeout(() => {
      // An ended session has no token and ends here as well; a renewed one connects again.
      const session = code === INVALID_TOKEN ? refreshSession(rejectedToken) : accessToken();
      void session.catch(() => {}).then(() => !isClosed && client.connect());
    }, RECONNECT_MS);
  });
  client.connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    client.disconnect();
  };
}
