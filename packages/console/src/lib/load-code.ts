import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { messages } from '@bidwell/contract/text/messages';
import { useSyncExternalStore } from 'react';

/**
 * Why code of the console is not here. `offline`: the server could not be reached. `outdated`: the server has another
 * release than the page, whose files it does not have any more. `failed`: the server is there, and the file is not.
 */
export type CodeFailure = 'offline' | 'outdated' | 'failed';

type Loaded<Code> = { code: Code; failure?: undefined } | { code?: undefined; failure: CodeFailure };

/** Loads code by an `import()`, which is repeated once where the server can be reached. Never rejects. */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Loaded<Code>> {
  const first = await load().then(here, missing);
  if (first) return reached(first);
  const release = await releaseOfServer();
  if (release === null) {
    change({ isUnreachable: true });
    return { failure: 'offline' };
  }
  if (release !== releaseOf(document.documentElement.outerHTML)) return { failure: 'outdated' };
  const second = await load().then(here, missing);
  return second ? reached(second) : { failure: 'failed' };
}

/** As {@link loadCode}, but waits for a server that cannot be reached, and repeats what failed. */
export async function loadPatiently<Code>(load: () => Promise<Code>): Promise<Loaded<Code>> {
  let wasOffline = false;
  for (;;) {
    const loaded = await loadCode(load);
    if (!loaded.failure || (loaded.failure === 'outdated' && mayReload())) return loaded;
    // Some browsers do not fetch again what they could not fetch once: only another document has it.
    if (wasOffline && loaded.failure === 'failed' && mayReload()) return { failure: 'outdated' };
    wasOffline ||= loaded.failure === 'offline';
    change({ isUnreachable: true });
    await nextTry();
  }
}

/** Loads code that an action needs. Throws an error whose sentence says why it is not here. */
export async function actionCode<Code>(load: () => Promise<Code>): Promise<Code> {
  const { code, failure } = await loadCode(load);
  if (!failure) return code;
  if (failure === 'outdated') reloadForRelease();
  throw new Error(codeFailureText(failure));
}

/** Why code is not here, as a sentence, in the words of a failed call. */
export const codeFailureText = (failure: CodeFailure): string =>
  failure === 'offline' && !navigator.onLine ? messages.offline : consoleMessages.codeMissing[failure];

const here = <Code>(code: Code) => ({ code });
const missing = () => null;

function reached<Code>(loaded: { code: Code }): { code: Code } {
  change({ isUnreachable: false });
  return loaded;
}

/** The file that the page of a release begins with; its name changes with every release. */
const releaseOf = (html: string) => /<script [^<>]{0,200}src="([^"<>]{1,500})"/.exec(html)?.[1] ?? null;

/** The release that the server has; null if it cannot be reached, or something else answers in its place. */
async function releaseOfServer(): Promise<string | null> {
  try {
    const response = await fetch(location.pathname, { cache: 'no-store', headers: { accept: 'text/html' } });
    return response.ok ? releaseOf(await response.text()) : null;
  } catch {
    return null;
  }
}

const RETRY_MS = 3000;

/** Resolves after a while, or as soon as the browser is online again. */
function nextTry(): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      window.removeEventListener('online', finish);
      resolve();
    };
    const timer = setTimeout(finish, RETRY_MS);
    window.addEventListener('online', finish);
  });
}

const RELOADED_AT = 'bidwell.reloaded-at';
/** A page that does not find its release after a reload is not reloaded again at once. */
const RELOAD_AGAIN_MS = 60_000;

function mayReload(): boolean {
  return Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0) > RELOAD_AGAIN_MS;
}

let isReloading = false;
const beforeReload = new Set<() => void>();

/** Calls `store` before the page is reloaded for another release; returns a function that ends that. */
export function onReload(store: () => void): () => void {
  beforeReload.add(store);
  return () => beforeReload.delete(store);
}

/** Whether the page is being reloaded for another release: the input is stored, so that no question is needed. */
export const isReloadingPage = (): boolean => isReloading;

/** Loads the page in the release that the server has, here or at another address. False right after the last time. */
export function reloadForRelease(href?: string): boolean {
  if (!mayReload()) return false;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  isReloading = true;
  for (const store of beforeReload) store();
  if (href === undefined) location.reload();
  else location.assign(href);
  return true;
}

interface CodeState {
  /** Whether the latest code could not be loaded because the server was not reached. */
  isUnreachable: boolean;
  /** How many screens wait for their code. */
  waiting: number;
}

let state: CodeState = { isUnreachable: false, waiting: 0 };
const listeners = new Set<() => void>();

function change(next: Partial<CodeState>): void {
  if (Object.entries(next).every(([key, value]) => state[key as keyof CodeState] === value)) return;
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

/** Counts a screen that waits for its code, for the notice; returns a function that ends that. */
export function waitForScreen(): () => void {
  change({ waiting: state.waiting + 1 });
  let isOver = false;
  return () => {
    if (!isOver) change({ waiting: state.waiting - 1 });
    isOver = true;
  };
}

/** Whether a screen could not be loaded and the server has not been reached since. */
export const isServerAway = (): boolean => !navigator.onLine || state.isUnreachable;

/** Calls `listener` when {@link isServerAway} or the screens that wait may have changed; returns a function that unsubscribes. */
export function onCodeState(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** The connection notice of the page: the browser is offline, or a screen waits for the server. */
type AwayNotice = 'offline' | 'offline-opening' | 'opening' | null;

export const useAwayNotice = (): AwayNotice => useSyncExternalStore(onCodeState, awayNotice);

function awayNotice(): AwayNotice {
  if (!navigator.onLine) return state.waiting > 0 ? 'offline-opening' : 'offline';
  return state.waiting > 0 && state.isUnreachable ? 'opening' : null;
}
