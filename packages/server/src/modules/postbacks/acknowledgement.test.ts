import { expect, test } from 'vitest';
import { sampleRef } from '../../delivery/trackers/sample-ref.ts';
import { createSigner } from '../../delivery/trackers/signing.ts';
import { testApp } from '@bidwell/testing/test-app';

const SECRET = 'a signing secret of acknowledged postbacks';
const app = await testApp({ SIGNING_SECRET: SECRET });
const signer = createSigner(SECRET, 'http://bidwell.test');

test('a postback is answered before it is decided, and with its outcome where that is asked for', async () => {
  const company = await app.freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const clickId = signer.clickIdFor(sampleRef({ companyId: company.companyId }));
  const url = `/postback/appsflyer/${secret}?clickid=${clickId}`;
  const outcomeOf = async (headers: Record<string, string>) =>
    (await app.http.inject({ url, headers })).json<{ data: { outcome: string } }>().data.outcome;
  expect(await outcomeOf({})).toBe('pending');
  for (const prefer of ['respond-async', 'wait=0', 'wait=soon', 'await=3'])
    expect([prefer, await outcomeOf({ prefer })]).toEqual([prefer, 'pending']);
  await expect.poll(() => outcomeOf({ prefer: 'respond-async, wait=100' })).toBe('no_touchpoint');
  await app.settled();
  const { counts } = (await company.call('GET', '/postbacks')).data;
  expect(counts).toMatchObject([{ outcome: 'no_touchpoint' }]);
  expect(counts[0].count).toBeGreaterThanOrEqual(6);
});
