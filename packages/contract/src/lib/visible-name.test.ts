import { expect, test } from 'vitest';
import { Registration } from '../accounts/schema.ts';
import { AdsetInput } from '../adsets/schema.ts';
import { ApiTokenInput } from '../accounts/api-token.ts';
import { AppInput } from '../apps/schema.ts';
import { CampaignInput } from '../campaigns/schema.ts';
import { CreativeGroupInput } from '../creative-groups/schema.ts';
import { CreativeUpdate, InternalCreativeUpdate, UploadFields } from '../creatives/schema.ts';
import { messages } from '../text/messages.ts';
import { NewOperator } from '../operator-accounts/schema.ts';
import { SspInput } from '../operator/schema.ts';
import { TargetInput } from '../targets/schema.ts';
import { TrackingLinkInput } from '../tracking-links/schema.ts';
import { isVisibleName } from './visible-name.ts';

test.each([
  'Launch, Q3 (DE/AT) – 50 %',
  'Ångström Æther ǅ',
  'Σαμοθράκη',
  '日本語のキャンペーン 2',
  '葛\u{E0100}城 2',
  'مرحبا بالعالم',
  'می‌خواهم',
  'क्‍ष',
  'ශ්‍රී ලංකා',
  '❤️ sale ©',
  '👩🏽‍🤝‍👨🏿 🏳️‍🌈 🏴‍☠️ 👍🏽',
  '🏴󠁧󠁢󠁷󠁬󠁳󠁿',
  '1️⃣ first',
  'a\u00A0b\u202Fc',
])('%s is a name', (name) => {
  expect(isVisibleName(name)).toBe(true);
});

test.each([
  ['a control character', 'a\u0007b'],
  ['a line break', 'a\nb'],
  ['a control character of the second set', 'a\u0085b'],
  ['a line separator', 'a\u2028b'],
  ['an override of the direction', 'Spring \u202Egnirps'],
  ['an isolate', '\u2067abc\u2069'],
  ['an embedding', '\u202Aabc\u202C'],
  ['a mark of direction', 'abc\u200E'],
  ['the Arabic letter mark', 'abc\u061C'],
  ['a space of zero width', 'Spring\u200B'],
  ['a joiner between Latin letters', 'Spr\u200Ding'],
  ['a non-joiner between Latin letters', 'Spr\u200Cing'],
  ['a joiner at the end of an emoji', '👍\u200D'],
  ['two non-joiners', 'می\u200C\u200Cخواهم'],
  ['a word joiner', 'a\u2060b'],
  ['a byte order mark', 'a\uFEFFb'],
  ['a soft hyphen', 'Spr\u00ADing'],
  ['a filler', 'a\u3164b'],
  ['a variation selector after a letter', 'a\uFE0Fb'],
  ['two selectors of a form', '葛\u{E0100}\u{E0100}'],
  ['a selector of a form after a Latin letter', 'a\u{E0100}'],
  ['tags', 'a\u{E0061}\u{E007F}'],
  ['a flag of no region', '🏴\u{E0061}\u{E0062}\u{E0063}\u{E007F}'],
  ['a private character', 'a\uE000b'],
  ['a character that is none', 'a\uFDD0b'],
  ['a space of a hair', 'a\u200Ab'],
  ['half of a surrogate pair', 'a\uD800'],
])('a name with %s is refused', (_what, name) => {
  expect(isVisibleName(name)).toBe(false);
});

test.each([
  ['an app', AppInput, 'name'],
  ['a campaign', CampaignInput, 'name'],
  ['an ad set', AdsetInput, 'name'],
  ['a target', TargetInput, 'name'],
  ['a tracking link', TrackingLinkInput, 'name'],
  ['a creative group', CreativeGroupInput, 'name'],
  ['an upload', UploadFields, 'name'],
  ['an uploaded asset', InternalCreativeUpdate, 'name'],
  ['a creative', CreativeUpdate, 'name'],
  ['an API token', ApiTokenInput, 'name'],
  ['an exchange', SspInput, 'name'],
  ['an operator', NewOperator, 'name'],
  ['a person', Registration, 'first_name'],
  ['a family', Registration, 'last_name'],
])('the name of %s must be visible', (_what, schema, field) => {
  const messagesFor = (name: string) =>
    schema
      .safeParse({ [field]: name })
      .error?.issues.filter(({ path }) => path[0] === field)
      .map(({ message }) => message) ?? [];
  expect(messagesFor('Spring \u202Egnirps')).toEqual([messages.nameHidden]);
  expect(messagesFor('Spring 👩🏽‍🤝‍👨🏿')).toEqual([]);
});

test('the label of a creative must be visible', () => {
  const { error } = CreativeUpdate.safeParse({ labels: ['Summer', 'Sum\u200Bmer'] });
  expect(error?.issues.map(({ message }) => message)).toEqual([messages.nameHidden]);
});
