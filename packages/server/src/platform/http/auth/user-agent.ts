/** Browsers by the mark in their user agent; the first that fits, since most name others that they resemble. */
const BROWSERS = [
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

/** Systems in the same way: an iPhone names Mac OS X, and Android names Linux. */
const SYSTEMS = [
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Most characters of a user agent that are stored. */
const LENGTH_MAX = 400;

/** What is kept of the header `User-Agent`. */
export const keptUserAgent = (userAgent: string | undefined): string =>
  (userAgent ?? '').slice(0, LENGTH_MAX);

/** The names of the browser and the system of a user agent; null for those that it does not name. */
export function namedIn(userAgent: string): { browser: string | null; system: string | null } {
  const nameOf = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1] ?? null;
  return { browser: nameOf(BROWSERS), system: nameOf(SYSTEMS) };
}

/** A device in words: “Firefox on Windows”. */
export function deviceText(userAgent: string): string {
  const { browser, system } = namedIn(userAgent);
  return `${browser ?? 'an unknown browser'}${system ? ` on ${system}` : ''}`;
}
