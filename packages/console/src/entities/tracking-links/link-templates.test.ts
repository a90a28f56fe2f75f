import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { expect, test } from 'vitest';
import { hasPartnerPlaceholders } from './link-templates.ts';

const empty = { click_url: '', view_url: '' };

test('words to replace are spoken of where a partner has some, until they are replaced', () => {
  for (const [mmp, { links }] of Object.entries(PARTNERS)) {
    const app = { mobile_measurement_partner: mmp as keyof typeof PARTNERS };
    const words = Object.keys(links.placeholders);
    expect(hasPartnerPlaceholders(app, empty)).toBe(words.length > 0);
    expect(hasPartnerPlaceholders(app, { ...empty, click_url: 'https://a.example/b' })).toBe(false);
    for (const word of words)
      expect(hasPartnerPlaceholders(app, { ...empty, click_url: `https://a.example/${word}` })).toBe(true);
  }
});
