import { useSyncExternalStore } from 'react';

/**
 * How the page receives updates. `waiting`: connecting, or disconnected a moment ago. `live`: over the connection.
 * `lost`: disconnected for longer than {@link PATIENCE_MS}. `blocked`: never connected, as behind a proxy that blocks
 * websockets. The page polls while it is lost or blocked.
 */
export type LiveState = 'waiting' | 'live' | 'lost' | 'blocked';

/** How long the connection may be away before the state becomes `lost` or `blocked`. */
export const PATIENCE_MS = 5000;

let state: LiveState = 'waiting';
let hasBeenLive = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function become(next: LiveState): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

/** Called when the connection is established. */
export function connectionStands(): void {
  clearTimeout(timer);
  timer = undefined;
  hasBeenLive = true;
  become('live');
}

/** Called while connecting, and when the connection is lost. */
export function connectionIsAway(): void {
  if (state === 'live') become('waiting');
  if (state === 'waiting') timer ??= setTimeout(() => become(hasBeenLive ? 'lost' : 'blocked'), PATIENCE_MS);
}

/** Resets the state when the page no longer needs a connection. */
export function forgetConnection(): void {
  clearTimeout(timer);
  timer = undefined;
  hasBeenLive = false;
  become('waiting');
}

export const liveState = (): LiveState => state;

/** Calls `listener` when the state changes; returns a function that unsubscribes. */
export function onLiveState(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useLiveState = (): LiveState => useSyncExternalStore(onLiveState, liveState);

/** Polling interval while connected, for changes that are not published. */
const QUIET_MS = 60_000;

/** Refetch interval of a query whose changes are published: `ms` without a connection. */
export const pollingEvery = (ms: number) => () => (state === 'live' ? QUIET_MS : ms);
