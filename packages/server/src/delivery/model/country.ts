import { iso31661 } from 'iso-3166';

const alpha2 = new Map<string, string>();
for (const country of iso31661) {
  alpha2.set(country.alpha3, country.alpha2);
  alpha2.set(country.alpha2, country.alpha2);
}
// Codes outside ISO 3166-1 that exchanges use.
alpha2.set('UK', 'GB').set('ROM', 'RO').set('XK', 'XK').set('XKX', 'XK');

/** The ISO 3166-1 alpha-2 code of a country from either of its codes, in any case; '' for anything else. */
export function countryCodeOf(code: string): string {
  return alpha2.get(code) ?? alpha2.get(code.trim().toUpperCase()) ?? '';
}
