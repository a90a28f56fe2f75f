/** Purposes in a consent string. */
const PURPOSES = 24;
/** What personal ads need: storage and access (1), profiles for ads (3 and 4), and measurement of ads (7). */
const PERSONAL_ADS: ReadonlySet<number> = new Set([1, 3, 4, 7]);
const CREATED_MS = Date.UTC(2026, 2, 2);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const bits = (value: number, count: number): string => value.toString(2).padStart(count, '0');

/** A list of vendors with one of them as a range, or none. */
const vendors = (id: number | null): string =>
  id === null ? bits(0, 16) + '0' : `${bits(id, 16)}1${bits(1, 12)}0${bits(id, 16)}`;

/** Base64url, six bits for each character. */
const encoded = (text: string): string =>
  (text.match(/.{1,6}/g) ?? []).map((six) => ALPHABET[Number.parseInt(six.padEnd(6, '0'), 2)]).join('');

/**
 * A consent string (IAB Tech Lab, "Consent string and vendor list formats v2") that consents to personal ads of this vendor; with null the
 * person consents to nothing.
 */
export function consentString(vendorId: number | null): string {
  const purposes = Array.from({ length: PURPOSES }, (_, index) =>
    vendorId !== null && PERSONAL_ADS.has(index + 1) ? '1' : '0',
  ).join('');
  // Version 2 and the time; the fields of the consent platform, which no bidder needs, are 0.
  const head = `${bits(2, 6)}${bits(CREATED_MS / 100, 36)}`.padEnd(152, '0');
  const core = `${head}${purposes}`.padEnd(213, '0') + vendors(vendorId) + vendors(null) + bits(0, 12);
  const disclosed = bits(1, 3) + vendors(vendorId);
  return `${encoded(core)}.${encoded(disclosed)}`;
}
