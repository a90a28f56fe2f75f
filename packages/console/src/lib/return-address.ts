const KEY = 'bidwell.return-address';

/** Remembers, in this tab, which address was asked for without a session. */
export function rememberReturnAddress(href: string): void {
  sessionStorage.setItem(KEY, href);
}

export function forgetReturnAddress(): void {
  sessionStorage.removeItem(KEY);
}

/** The remembered address of ours, once; null without one. */
export function takeReturnAddress(): string | null {
  const href = sessionStorage.getItem(KEY);
  forgetReturnAddress();
  return href !== null && /^\/(?![/\\])/.test(href) ? href : null;
}
