import type { ViewerSession } from '@bidwell/contract/accounts/viewer';

const KEY = 'bidwell.viewer';
/** Where a code begins a view, and where a view ends whose time is over. */
export const VIEW_PATH = '/view';

/** The read-only session of an operator in this tab, as it was when the page loaded; null for a user's own session. */
export const viewing: ViewerSession | null = readViewing();

function readViewing(): ViewerSession | null {
  try {
    const text = sessionStorage.getItem(KEY);
    return text === null ? null : (JSON.parse(text) as ViewerSession);
  } catch {
    return null;
  }
}

/** Loads the company's console with a read-only session, which this tab alone has. */
export function beginViewing(session: ViewerSession): void {
  sessionStorage.setItem(KEY, JSON.stringify(session));
  location.replace('/campaigns');
}

/** Deletes the session and leaves the company's console. */
export function leaveViewing(path: string): void {
  sessionStorage.removeItem(KEY);
  location.replace(path);
}
