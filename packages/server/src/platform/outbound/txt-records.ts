import { Resolver } from 'node:dns/promises';

/**
 * The texts of the DNS TXT records of a domain; none where it has none or is not found. Rejects if no name server answers in time, and
 * when `signal` aborts.
 */
export type ResolveTxt = (domain: string, signal?: AbortSignal) => Promise<string[]>;

const ABSENT: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** Looks records up by the name servers of the system, for a few seconds at most. */
export const resolveTxt: ResolveTxt = async (domain, signal) => {
  signal?.throwIfAborted();
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal?.addEventListener('abort', cancel);
  try {
    const records = await resolver.resolveTxt(domain);
    // A long text arrives in parts.
    return records.map((parts) => parts.join(''));
  } catch (error) {
    if (ABSENT.has(String((error as NodeJS.ErrnoException).code))) return [];
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
};
