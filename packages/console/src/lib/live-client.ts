import { LiveMessage } from '@bidwell/contract/live';
import { Centrifuge, UnauthorizedError } from 'centrifuge';
import { connectionIsAway, connectionStands } from './live-state.ts';
import { accessToken, refreshSession } from './session.ts';

/** Callbacks of the websocket connection. */
export interface LiveListener {
  receive(message: LiveMessage): void;
  /** Connected for the first time; earlier publications were not received. */
  opened(): void;
  /** Reconnected. The retained publications were received, unless `missed` is called as well. */
  back(): void;
  /** Publications were lost while disconnected. */
  missed(): void;
}

/** Delay before the page reconnects after the server has disconnected it. */
const SHOWN_OUT_MS = 5000;
const INVALID_TOKEN = 3500;

/** Opens the session's websocket. Returns a function that closes it. */
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
    // A newer server may send messages that this page cannot parse.
    const message = LiveMessage.safeParse(data);
    if (message.success) listener.receive(message.data);
  });
  client.on('connected', () => {
    connectionStands();
    if (hasStood) listener.back();
    else listener.opened();
    hasStood = true;
  });
  // The publications that a channel retained meanwhile follow, each once.
  client.on('subscribed', ({ wasRecovering, recovered }) => {
    if (wasRecovering && !recovered) listener.missed();
  });
  client.on('connecting', () => connectionIsAway());
  client.on('disconnected', ({ code }) => {
    connectionIsAway();
    if (isClosed) return;
    timer = setTimeout(() => {
      // An ended session has no token and ends here as well; a renewed one connects again.
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
