/**
 * Languages whose speakers understand each other and which systems name by either code: Bokmål, Nynorsk and Norwegian,
 * Filipino and Tagalog. By the code in CLDR's canonical form, the code of ISO 639-1 that stands for them here.
 */
const shared: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', fil: 'tl' };

/**
 * The code of ISO 639-1 for a language tag such as `en`, `en-US`, `en_US`, `eng` or `ger`; '' for anything else. Older codes
 * become their replacements (CLDR's aliases: Android's `in`, `iw` and `ji` are `id`, `he` and `yi`), and codes of one
 * language the same code.
 */
export function languageCodeOf(tag: string): string {
  const code = /^[a-z]{2,3}(?![a-z])/i.exec(tag.trim())?.[0].toLowerCase() ?? '';
  if (code === '') return '';
  const { language } = new Intl.Locale(code);
  const canonical = shared[language] ?? language;
  if (canonical.length === 2) return canonical;
  return code.length === 2 ? code : '';
}
