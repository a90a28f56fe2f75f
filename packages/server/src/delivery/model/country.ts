import { iso31661 } from 'iso-3166';

/** Codes of two letters by all codes of ISO 3166-1. Numbers may lack the zeros before them: Afghanistan is 004, or 4 as a JSON number. */
const alpha2 = new Map<string, string>();
for (const country of iso31661)
  for (const code of [country.alpha3, country.alpha2, country.numeric, String(Number(country.numeric))])
    alpha2.set(code, country.alpha2);
// Codes outside ISO 3166-1 that exchanges use.
alpha2.set('UK', 'GB').set('ROM', 'RO').set('XK', 'XK').set('XKX', 'XK');

/** The ISO 3166-1 alpha-2 code of a country from any of its codes, letters in any case; '' for anything else, such as a name. */
export function countryCodeOf(code: string): string {
  return alpha2.get(code) ?? alpha2.get(code.trim().toUpperCase()) ?? '';
}
