const KEY = 'bidwell.return-address';

/** Stores, for this tab, the URL that was requested without a session. */
export function rememberReturnAddress(href: string): void {
  sessionStorage.setItem(KEY, href);
}

export function deleteReturnAddress(): void {
  sessionStorage.removeItem(KEY);
}

/** The stored URL, once and only if it is a local path; null without one. */
export function takeReturnAddress(): string | null {
  const href = sessionStorage.getItem(KEY);
  deleteReturnAddress();
  return href !== null && /^\/(?![/\\])/.test(href) ? href : null;
}
