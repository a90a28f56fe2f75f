import { expect, test } from 'vitest';
import { iosAppBody, newStoreItem } from '@bidwell/testing/advertising';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });

test('without an ad network with a key the advertiser learns that no bid is signed', async () => {
  const made = await campaignOn(app, await freshExchange(app), { app: iosAppBody(newStoreItem()) });
  const path = `/app/${made.appUuid}/source_identifiers`;
  expect((await made.company.call('GET', path)).data).toMatchObject({ has_network: false });
  const today = app.ctx.now().toISOString().slice(0, 10);
  const range = `start_date=${today}&end_date=${today}`;
  const signingIn = async (list: string) =>
    (await made.company.call('GET', `${list}?${range}`)).data.findings.filter(
      ({ code }: { code: string }) => code === 'signing_off',
    );
  const none = {
    severity: 'advice',
    text: expect.stringMatching(/^Bids for “.*” are not signed .* no ad network with a private key/),
    remedy: { screen: 'app', uuid: made.appUuid },
  };
  expect(await signingIn(`/campaign/${made.campaignUuid}/findings`)).toMatchObject([none]);
  expect(await signingIn('/findings/ranked')).toMatchObject([none]);
  await app.operator('PUT', '/skadnetwork/networks/first01.skadnetwork', {});
  expect((await made.company.call('GET', path)).data).toMatchObject({ has_network: true });
  const [off] = await signingIn('/findings/ranked');
  expect(off.text).toMatch(/An operator of this installation can switch it on for the app\.$/);
});
