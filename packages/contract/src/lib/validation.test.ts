import { expect, test } from 'vitest';
import type { z } from 'zod';
import { Credentials, ProfileInput, Registration } from '../accounts/schema.ts';
import { AdsetInput } from '../adsets/schema.ts';
import { AppInput } from '../apps/schema.ts';
import { CampaignInput } from '../campaigns/schema.ts';
import { CreativeInput, CreativeUpdate, UploadFields } from '../creatives/schema.ts';
import { CreativeGroupInput } from '../creative-groups/schema.ts';
import { examples } from './all-examples.ts';
import { TopUpInput, Withdrawal } from '../finance/schema.ts';
import { messages } from '../text/messages.ts';
import { TargetInput, TargetSettings } from '../targets/schema.ts';
import { TrackingLinkInput } from '../tracking-links/schema.ts';

const profile = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Miller', contact: '@ada' };
const withdrawal = { payment_system: 'Paypal', amount: 10 };
const valid = new Map<z.ZodType, object>([
  ...examples.map(({ schema, example }) => [schema, example as object] as const),
  [ProfileInput, { ...profile, password_confirmation: '12345' }],
  [Withdrawal, withdrawal],
]);

const text = (length: number) => 'x'.repeat(length);

/** Test title, form, field, invalid value, and the message below the field. */
const invalidInputs: [string, z.ZodType, string, unknown, string][] = [
  ['login wants a login', Credentials, 'login', '', 'Required'],
  ['login wants a password', Credentials, 'password', '', 'Required'],
  [
    'a login of four letters',
    Registration,
    'login',
    'abcd',
    'Login is not valid! It should contain at least 5 characters',
  ],
  [
    'a login with capitals',
    Registration,
    'login',
    'Ada.Miller',
    'Login must contain only lowercase latin letters and dots',
  ],
  [
    'a login with digits',
    Registration,
    'login',
    'ada12',
    'Login must contain only lowercase latin letters and dots',
  ],
  [
    'a login with two dots',
    Registration,
    'login',
    'ada..miller',
    'Login must contain only lowercase latin letters and dots',
  ],
  [
    'a login that ends in a dot',
    Registration,
    'login',
    'miller.',
    'Login must contain only lowercase latin letters and dots',
  ],
  [
    'a login part of 31 letters',
    Registration,
    'login',
    text(31),
    'Login must contain only lowercase latin letters and dots',
  ],
  ['an email without a host', Registration, 'email', 'ada@', 'Email is not valid!'],
  ['a password of five', Registration, 'password', '12345', 'Password must be at least 6 characters long'],
  ['no first name', Registration, 'first_name', '', 'Required'],
  ['no contact', Registration, 'contact', '', 'Required'],
  ['a profile email', ProfileInput, 'email', 'nobody', 'Email is not valid!'],
  ['a profile without a first name', ProfileInput, 'first_name', '', 'Required'],
  ['a profile without a last name', ProfileInput, 'last_name', '', 'Required'],
  ['a profile without a contact', ProfileInput, 'contact', '', 'Required'],
  [
    'a new password of five',
    ProfileInput,
    'password',
    '12345',
    'Password is not valid! It should contain at least 6 characters',
  ],
  ['an app without a title', AppInput, 'name', '', 'Required'],
  ['an app title of 51', AppInput, 'name', text(51), 'Title cannot exceed 50 characters'],
  [
    'an app description of 201',
    AppInput,
    'description',
    text(201),
    'Description cannot exceed 200 characters',
  ],
  ['an app without a bundle', AppInput, 'bundle_id', '', 'Required'],
  ['an app without a category', AppInput, 'iab_category', '', 'Required'],
  ['an app without an MMP', AppInput, 'mobile_measurement_partner', undefined, 'MMP is required'],
  ['an app of another system', AppInput, 'os', 'windows', 'Required'],
  ['a rating that is a word', AppInput, 'rating', 'good', 'Enter a number'],
  ['a target without an app', TargetInput, 'app_id', undefined, 'Required'],
  ['a target of an app that is no ID', TargetInput, 'app_id', '12', 'This is not an ID: IDs are UUIDs'],
  ['a target title of 51', TargetInput, 'name', text(51), 'Title cannot exceed 50 characters'],
  [
    'a target description of 201',
    TargetInput,
    'description',
    text(201),
    'Description cannot exceed 200 characters',
  ],
  ['a target without an app', TargetInput, 'app_id', undefined, 'Required'],
  ['an upload title of 51', UploadFields, 'name', text(51), 'Title cannot exceed 50 characters'],
  [
    'an upload description of 201',
    UploadFields,
    'description',
    text(201),
    'Description cannot exceed 200 characters',
  ],
  ['a sponsor of 51', UploadFields, 'sponsor', text(51), 'At most 50 characters'],
  ['a headline of 71', UploadFields, 'title', text(71), 'At most 70 characters'],
  [
    'a click address of a creative that is a script',
    CreativeInput,
    'click_url',
    'javascript:1',
    messages.httpUrl,
  ],
  ['a view address of a creative that is a word', CreativeInput, 'view_url', 'view', messages.httpUrl],
  [
    'a click address of a creative of 2001',
    CreativeInput,
    'click_url',
    `https://c.example/{click_id}${text(1973)}`,
    'At most 2000 characters',
  ],
  ['a group title of 51', CreativeGroupInput, 'name', text(51), 'Title must be 50 characters or less'],
  [
    'a group description of 201',
    CreativeGroupInput,
    'description',
    text(201),
    'Description cannot exceed 200 characters',
  ],
  ['a native description of 91', CreativeGroupInput, 'native_description', text(91), 'At most 90 characters'],
  ['an ad set without a name', AdsetInput, 'name', '', 'Required'],
  ['an ad set without a target', AdsetInput, 'target_id', undefined, 'Required'],
  ['an ad set without a tracking link', AdsetInput, 'tracking_link_id', undefined, 'Required'],
  ['an ad set without groups', AdsetInput, 'creative_group_ids', [], 'Required'],
  ['an ad set without an algorithm', AdsetInput, 'algo', '', 'Required'],
  ['a CPM below a cent', AdsetInput, 'bet_cpm', 0.009, 'Required'],
  ['no CPM', AdsetInput, 'bet_cpm', undefined, 'Required'],
  ['a CPI that is a word', AdsetInput, 'bet_cpi', 'cheap', 'Enter a number'],
  ['a campaign without a name', CampaignInput, 'name', ' ', 'Required'],
  ['a campaign without an app', CampaignInput, 'app_uuid', undefined, 'Required'],
  ['a tracking link without an app', TrackingLinkInput, 'app_id', undefined, 'Required'],
  ['a tracking link without a click address', TrackingLinkInput, 'click_url', '', 'Required'],
  ['a tracking link without a view address', TrackingLinkInput, 'view_url', '', 'Required'],
  ['a tracking link without a name', TrackingLinkInput, 'name', '', 'Required'],
  ['a withdrawal to a bank', Withdrawal, 'payment_system', 'Bank', 'Please select a payment system'],
  ['a withdrawal of nothing', Withdrawal, 'amount', 0, 'Enter an amount above 0'],
  ['a withdrawal of a third of a cent', Withdrawal, 'amount', 10.003, 'Use at most two decimals'],
  ['a top-up of a third of a cent', TopUpInput, 'amount', 10.003, 'Use at most two decimals'],
];

test.each(invalidInputs)('%s is rejected with its message', (_what, schema, field, value, sentence) => {
  const parsed = schema.safeParse({ ...valid.get(schema), [field]: value });
  expect(parsed.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([[field, sentence]]);
});

const passwords: [object, string | undefined][] = [
  [{ password: '' }, undefined],
  [{ password: 'a long secret' }, 'Please confirm your password'],
  [{ password: 'a long secret', password_confirmation: 'another' }, "Passwords don't match"],
  [{ password: 'a long secret', password_confirmation: 'a long secret' }, undefined],
];
test.each(passwords)('a profile with %j', (over, sentence) => {
  const issue = ProfileInput.safeParse({ ...profile, ...over }).error?.issues[0];
  expect(issue?.message).toBe(sentence);
});

test.each([
  [AppInput, 'name', 50],
  [TargetInput, 'description', 200],
  [CreativeGroupInput, 'native_sponsor', 50],
  [CreativeGroupInput, 'native_title', 70],
  [CreativeGroupInput, 'native_description', 90],
] as [z.ZodType, string, number][])('the longest allowed text is accepted', (schema, field, length) => {
  expect(schema.safeParse({ ...valid.get(schema), [field]: text(length) }).success).toBe(true);
});

test('optional fields may be absent or null', () => {
  const {
    description: _description,
    start_date: _start,
    ...campaign
  } = valid.get(CampaignInput) as Record<string, unknown>;
  expect(CampaignInput.parse(campaign)).toMatchObject({ description: '', start_date: null, end_date: null });
  const adset = { ...valid.get(AdsetInput), bet_cpi: null, daily_budget_const: undefined };
  expect(AdsetInput.parse(adset)).toMatchObject({ bet_cpi: null, daily_budget_const: null });
  const { last_name: _last, ...person } = valid.get(Registration) as Record<string, unknown>;
  expect(Registration.parse(person).last_name).toBe('');
  expect(CreativeUpdate.parse({ click_url: ' ', view_url: null })).toEqual({
    click_url: null,
    view_url: null,
  });
});

test.each(['Paypal', 'WebMoney', 'QIWI'])('money may be withdrawn to %s, to the cent', (payment_system) => {
  expect(Withdrawal.safeParse({ payment_system, amount: 0.01 }).success).toBe(true);
});

test('the texts of a target list are limited in total, not only each of them', () => {
  const models = (length: number) => Array.from({ length: 1000 }, (_, n) => String(n).padEnd(length, 'x'));
  expect(TargetSettings.safeParse({ device_models: models(40) }).success).toBe(true);
  const issues = TargetSettings.safeParse({ device_models: models(41) }).error?.issues;
  expect(issues).toMatchObject([{ path: ['device_models'], message: messages.listText }]);
});
