import { expect, test } from 'vitest';
import { appBody } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ WRITES_PER_MINUTE: '10' });

test('a person makes a limited number of changes a minute; reads and other companies go on', async () => {
  const company = await app.freshCompany();
  for (let n = 0; n < 10; n += 1) expect((await company.call('POST', '/app', appBody())).status).toBe(201);
  const rejected = await company.call('POST', '/app', appBody());
  expect(rejected).toMatchObject({ status: 429, data: 'At most 10 changes a minute. Please wait a moment.' });
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  const { status, data } = await company.call('GET', '/app');
  expect([status, data.apps.length]).toEqual([200, 10]);
  const other = await app.freshCompany();
  expect((await other.call('POST', '/app', appBody())).status).toBe(201);
});
