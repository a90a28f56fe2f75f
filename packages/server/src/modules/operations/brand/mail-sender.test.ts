import { exampleBrand } from '@bidwell/testing/api-cases/brand';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const { url, mails } = await mailServer();
const app = await testApp({ SMTP_URL: url, MAIL_FROM: 'ads@bidwell.test' });

test('mails have the name of the brand with an address that has none', async () => {
  const brand = { ...exampleBrand, name: 'Kite Ads', mail_sender_name: null };
  expect((await app.operator('PUT', '/brand', brand)).status).toBe(200);
  const company = await app.freshCompany();
  const email = 'kite@example.com';
  expect((await company.call('POST', '/people/invitations', { email, role: 'editor' })).status).toBe(201);
  await eventually(() => {
    expect(mails.find(({ to }) => to === email)?.text).toContain('From: Kite Ads <ads@bidwell.test>');
  });
});
