import { generateKeyPairSync, sign } from 'node:crypto';
import { iosAppBody, make, newStoreItem } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const app = await testApp({
  INSTALL_POSTBACK_TEST_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
});
const NETWORK = 'received01.skadnetwork';

/** Sends a postback of version 2.1 about an app, which a simulated device signs, and resolves to its outcome. */
async function send(itemId: number, over: Record<string, string> = {}): Promise<string> {
  const transaction = uuidv7();
  const text = ['2.1', NETWORK, 12, itemId, transaction, false, 99].join('\u2063');
  const response = await app.http.inject({
    method: 'POST',
    url: '/skadnetwork/postback',
    payload: {
      version: '2.1',
      'ad-network-id': NETWORK,
      'campaign-id': 12,
      'app-id': itemId,
      'transaction-id': transaction,
      redownload: false,
      'source-app-id': 99,
      'attribution-signature': sign('sha256', Buffer.from(text), privateKey).toString('base64'),
      ...over,
    },
  });
  return response.json().data.outcome;
}

test('operators see where postbacks are sent, how many of them count, and why the others do not', async () => {
  await app.operator('PUT', `/skadnetwork/networks/${NETWORK}`, {});
  const company = await app.freshCompany();
  const itemId = newStoreItem();
  const appUuid = await make(company, '/app', iosAppBody(itemId));
  await app.operator('PUT', `/skadnetwork/apps/${appUuid}`, { enabled: true });
  const read = async () => {
    await app.settled();
    return (await app.operator('GET', '/skadnetwork')).data.postbacks;
  };
  expect(await read()).toMatchObject({
    url: expect.stringMatching(/^https?:\/\/[^/]+\/skadnetwork\/postback$/),
    counted: 0,
    last_counted_at: null,
    uncounted: [],
  });
  expect(await send(itemId)).toBe('stored');
  expect(await send(newStoreItem())).toBe('unknown_app');
  for (let count = 0; count < 2; count += 1)
    expect(await send(itemId, { 'attribution-signature': 'MEUCIA==' })).toBe('bad_signature');
  const now = app.clock.now.toISOString();
  expect(await read()).toMatchObject({
    counted: 1,
    last_counted_at: now,
    uncounted: [
      { reason: 'bad_signature', count: 2, last_at: now },
      { reason: 'unknown_app', count: 1, last_at: now },
    ],
  });
});
