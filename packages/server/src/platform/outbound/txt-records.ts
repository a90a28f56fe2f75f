import { Resolver } from 'node:dns/promises';

/** The texts of the DNS TXT records of a domain; none where it has none or is not found. Rejects if no name server answers in time. */
export type ResolveTxt = (domain: string) => Promise<string[]>;

const ABSENT: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** Looks records up by the name servers of the system, for a few seconds at most. */
export const resolveTxt: ResolveTxt = async (domain) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  try {
    const records = await resolver.resolveTxt(domain);
    // A long text arrives in parts.
    return records.map((parts) => parts.join(''));
  } catch (error) {
    if (ABSENT.has(String((error as NodeJS.ErrnoException).code))) return [];
    throw error;
  }
};
