import { z } from 'zod';

const KEY = 'bidwell.return-address';

const Stored = z.object({
  href: z.string().regex(/^\/(?![/\\])/),
  /** Whose session was over there; null for an address that was opened without one. */
  owner: z.string().nullable(),
});

/**
 * Stores, for this tab, the URL that was requested without a session, or at which the session of `owner` ended: it leads no one
 * else there.
 */
export function rememberReturnAddress(href: string, owner: string | null = null): void {
  sessionStorage.setItem(KEY, JSON.stringify({ href, owner }));
}

export function deleteReturnAddress(): void {
  sessionStorage.removeItem(KEY);
}

/** Whether a session ended at the stored URL. */
export const hasSessionEnded = (): boolean => typeof read()?.owner === 'string';

/** The stored URL, once and only if it is a local path that may be of the person who has logged in; null without one. */
export function takeReturnAddress(person: string | null): string | null {
  const stored = read();
  deleteReturnAddress();
  return stored && (stored.owner === null || stored.owner === person) ? stored.href : null;
}

function read(): z.infer<typeof Stored> | null {
  try {
    return Stored.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}
