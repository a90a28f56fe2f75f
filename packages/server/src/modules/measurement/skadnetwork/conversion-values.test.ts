import { appBody, changesOf, iosAppBody, make } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const app = await testApp();

const purchase = {
  window: 0,
  fine_from: 1,
  fine_to: 9,
  coarse: null,
  event: 'purchase',
  revenue_from: 1,
  revenue_to: 4.99,
};
test('an app says what its conversion values mean, from the day of the change on', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/app', iosAppBody());
  const path = `/app/${uuid}/conversion-values`;
  expect((await company.call('GET', path)).data).toEqual({ rules: [], versions: [] });

  app.clock.now = new Date('2026-06-02T12:00:00Z');
  const first = await company.call('PUT', path, { rules: [{ ...purchase, event: 'trial' }] });
  expect(first.status).toBe(200);
  await company.call('PUT', path, { rules: [purchase] });
  app.clock.now = new Date('2026-06-05T12:00:00Z');
  const level = {
    ...purchase,
    fine_from: 10,
    fine_to: 12,
    event: 'level',
    revenue_from: null,
    revenue_to: null,
  };
  await company.call('PUT', path, { rules: [purchase, level] });

  expect((await company.call('GET', path)).data).toEqual({
    rules: [purchase, level],
    versions: [
      { valid_from: '2026-06-05', rules: [purchase, level] },
      { valid_from: '2026-06-02', rules: [purchase] },
    ],
  });
  const change = (await changesOf(app, company, uuid)).at(-1)!;
  expect(change.fields).toContainEqual({
    field: 'conversion_values',
    before: ['window 0, 1-9: purchase, $1-4.99'],
    after: ['window 0, 1-9: purchase, $1-4.99', 'window 0, 10-12: level'],
  });
});

test('conversion values are of apps of the App Store of the own company, and their rules are checked', async () => {
  const company = await app.freshCompany();
  const android = await make(company, '/app', appBody());
  const refused = await company.call('PUT', `/app/${android}/conversion-values`, { rules: [purchase] });
  expect(refused).toMatchObject({ status: 422, errors: [{ field: 'rules' }] });

  const uuid = await make(company, '/app', iosAppBody());
  const wrong = await company.call('PUT', `/app/${uuid}/conversion-values`, {
    rules: [purchase, { ...purchase, fine_from: 9, fine_to: 10 }],
  });
  expect(wrong).toMatchObject({
    status: 422,
    errors: [{ field: 'rules.1.fine_from', message: 'Another rule has this value' }],
  });
  const other = await app.freshCompany();
  expect((await other.call('GET', `/app/${uuid}/conversion-values`)).status).toBe(404);
  expect((await other.call('PUT', `/app/${uuid}/conversion-values`, { rules: [] })).status).toBe(404);
});
