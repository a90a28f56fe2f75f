import { useSyncExternalStore } from 'react';

/**
 * How the page learns of news. `waiting`: the connection is being made, or was there a moment ago. `live`: by the
 * connection. `lost`: it was there and is away for longer. `blocked`: it never came about, as behind a proxy that lets no
 * websocket through. Where it is lost or blocked, the page asks again and again.
 */
export type LiveState = 'waiting' | 'live' | 'lost' | 'blocked';

/** How long a connection may be away before anything is made of it. */
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

/** The connection stands. */
export function connectionStands(): void {
  clearTimeout(timer);
  timer = undefined;
  hasBeenLive = true;
  become('live');
}

/** The connection is away, or not there yet. */
export function connectionIsAway(): void {
  if (state === 'live') become('waiting');
  if (state === 'waiting') timer ??= setTimeout(() => become(hasBeenLive ? 'lost' : 'blocked'), PATIENCE_MS);
}

/** Nobody wants a connection any more. */
export function forgetConnection(): void {
  clearTimeout(timer);
  timer = undefined;
  hasBeenLive = false;
  become('waiting');
}

export const liveState = (): LiveState => state;

/** Calls `listener` when the state changes; answers how to stop that. */
export function onLiveState(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useLiveState = (): LiveState => useSyncExternalStore(onLiveState, liveState);

/** While the connection says what moves, figures are asked for this often, for what it may not know. */
const QUIET_MS = 60_000;

/** How often a query asks again that news arrive for: every `ms` where the connection does not bring them. */
export const pollingEvery = (ms: number) => () => (state === 'live' ? QUIET_MS : ms);
