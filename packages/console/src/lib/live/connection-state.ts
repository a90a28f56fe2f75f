import { useSyncExternalStore } from 'react';

/**
 * How the page receives updates. `waiting`: connecting, or disconnected a moment ago. `live`: over the connection.
 * `lost`: disconnected for longer than {@link DISCONNECTED_MS}. `blocked`: never connected, as behind a proxy that blocks
 * websockets. The page polls while it is lost or blocked.
 */
export type ConnectionState = 'waiting' | 'live' | 'lost' | 'blocked';

/** How long the connection may be away before the state becomes `lost` or `blocked`. */
const DISCONNECTED_MS = 5000;

let state: ConnectionState = 'waiting';
let wasConnected = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function setState(next: ConnectionState): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

/** Called when the connection is established. */
export function setConnected(): void {
  clearTimeout(timer);
  timer = undefined;
  wasConnected = true;
  setState('live');
}

/** Called while connecting, and when the connection is lost. */
export function setDisconnected(): void {
  if (state === 'live') setState('waiting');
  if (state === 'waiting')
    timer ??= setTimeout(() => setState(wasConnected ? 'lost' : 'blocked'), DISCONNECTED_MS);
}

/** Resets the state when the page no longer needs a connection. */
export function resetConnection(): void {
  clearTimeout(timer);
  timer = undefined;
  wasConnected = false;
  setState('waiting');
}

export const connectionState = (): ConnectionState => state;

/** Calls `listener` when the state changes; returns a function that unsubscribes. */
function onConnectionState(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useConnectionState = (): ConnectionState =>
  useSyncExternalStore(onConnectionState, connectionState);

/** Polling interval while connected, for changes that are not published. */
const LIVE_POLL_MS = 60_000;

/** Refetch interval of a query whose changes are published: `ms` without a connection. */
export const pollingInterval = (ms: number) => () => (state === 'live' ? LIVE_POLL_MS : ms);
