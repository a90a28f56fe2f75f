import { exchangeCases } from '@bidwell/contract/operator/exchange-cases';
import type { CertifiedCase } from '@bidwell/contract/operator/certification';
import { profileOf } from '@bidwell/contract/operator/exchange-profiles';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const app = await testApp({ PUBLIC_URL: 'https://bidwell.test' });

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

/** Creates an exchange of a profile with its settings, and certifies it. */
async function certified(profile: string, slug: string, over: object = {}) {
  const { settings } = profileOf(profile as 'unity');
  const keys = settings.price_format === 'google-encrypted' && {
    price_encryption_key: key(1),
    price_integrity_key: key(2),
  };
  const saved = await app.operator('PUT', `/ssps/${slug}`, {
    name: 'X',
    profile,
    ...settings,
    ...keys,
    ...over,
  });
  expect(saved.status).toBe(200);
  await app.settled();
  return app.operator('POST', `/ssps/${slug}/certify`);
}

const faultsOf = ({ title, checks }: CertifiedCase) =>
  checks.filter(({ fault }) => fault !== null).map(({ text, fault }) => `${title}: ${text} ${fault}`);

test.each(exchangeCases)(
  'the cases of $profile pass, and nothing is counted',
  async ({ profile, settings, cases }) => {
    const { status, data } = await certified(profile, `certified-${profile}`, settings);
    expect(status).toBe(200);
    const own: CertifiedCase[] = data.cases.filter(
      ({ title }: CertifiedCase) => title !== 'Connections stay open',
    );
    expect(own.map(({ title }) => title)).toEqual(cases.map(({ title }) => title));
    expect(data.cases.flatMap(faultsOf)).toEqual([]);
    await app.settled();
    const health = await app.operator('GET', `/ssps/certified-${profile}/health`);
    expect(health.data.total).toMatchObject({ requests: 0, bids: 0, spend: 0 });
    expect(await app.ctx.clickhouse.query('select bid_id from events', {})).toEqual([]);
  },
);

test('a setting against the documents fails, and says why', async () => {
  const { data } = await certified('xandr', 'xandr-seat', { seat: 'bidwell' });
  const [banner] = data.cases;
  expect(banner.passed).toBe(false);
  expect(faultsOf(banner)).toContainEqual(expect.stringContaining('The seat "bidwell" is no number.'));
});

test('an exchange that encrypts prices fails without the keys to read them', async () => {
  const { data } = await certified('google', 'google-plain', {
    price_format: 'plain',
    price_encryption_key: undefined,
    price_integrity_key: undefined,
  });
  expect(data.cases.flatMap(faultsOf)).toContainEqual(
    expect.stringContaining('This exchange has no price keys, so bids are charged in place of prices.'),
  );
});

test('an exchange that charges another notice than it documents fails', async () => {
  const { data } = await certified('smaato', 'smaato-win', { charge_on: 'win' });
  expect(data.cases.flatMap(faultsOf).join(' ')).toContain('nurl charges $0. It charges $0.002.');
});

test('connections, and what is not public, are in the report; a generic profile has no cases', async () => {
  const { data } = await certified('applovin', 'applovin-idle');
  expect(data.cases[0]).toMatchObject({ title: 'Connections stay open', passed: true });
  expect(data.not_documented).toContain('seat');
  expect((await certified('openrtb', 'generic')).data.cases).toEqual([]);
});
