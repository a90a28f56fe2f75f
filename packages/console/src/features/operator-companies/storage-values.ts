import type { CompanyTerms } from '@bidwell/contract/operator/schema';

const GIB = 1024 ** 3;
/** The largest quota, 1 PiB. */
export const GIB_MAX = 1024 ** 2;

/** A quota in the form, in GiB; empty for the quota of the settings. */
export const gibOf = (bytes: number | null): number | string => (bytes === null ? '' : bytes / GIB);

/** The change of a company's quota to an input in GiB; null if that is no number yet, or the quota is the same. */
export function quotaChange(own: number | null, gib: number | string): CompanyTerms | null {
  const quota = gib === '' ? null : Math.round(Number(gib) * GIB);
  if (quota === own || Number.isNaN(quota)) return null;
  return { storage_quota_bytes: quota };
}
