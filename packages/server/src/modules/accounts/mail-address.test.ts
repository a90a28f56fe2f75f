import { messages } from '@bidwell/contract/text/messages';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { softwareAuthenticator } from '@bidwell/testing/sign-in/software-authenticator';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { type TestApp, type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const { url, mails } = await mailServer();
const app = await testApp();
const mailing = await testApp({ SMTP_URL: url });

const profile = { email: 'new@example.com', first_name: 'Grace', last_name: 'Hopper', contact: '@grace' };

/** Changes the mail address of a company's person; resolves to the status. */
async function change({ call, userId }: TestCompany, email: string, more: object = {}): Promise<number> {
  return (await call('PUT', `/users/${userId}`, { ...profile, email, ...more })).status;
}
/** Moves the clock on, so that the login is no recent proof any more. */
function later({ clock }: TestApp): void {
  clock.now = new Date(clock.now.getTime() + 11 * 60_000);
}

test('where the address opens no account, it is changed as the rest of the profile, and the person is notified', async () => {
  const company = await app.freshCompany();
  later(app);
  expect(await change(company, 'other@example.com')).toBe(200);
  expect(await change(company, 'other@example.com', { contact: '@hopper' })).toBe(200);
  const { data: notices } = await company.call('GET', '/notifications');
  expect(notices.filter(({ title }: { title: string }) => title === 'Mail address changed')).toHaveLength(1);
});

test('where the server sends links for a new password, a new address needs a recent proof, and the former one is told', async () => {
  const company = await mailing.freshCompany();
  expect(await change(company, 'former@example.com')).toBe(200);
  later(mailing);
  expect(await change(company, 'former@example.com', { contact: '@hopper' })).toBe(200);
  expect(await change(company, 'next@example.com')).toBe(403);
  await company.call('POST', '/account/confirmation', { password: 'correct horse' });
  expect(await change(company, 'next@example.com')).toBe(200);
  await eventually(() => {
    const mail = mails.find(({ to, subject }) => to === 'former@example.com' && /Mail address/.test(subject));
    expect(mail?.text).toContain('has another mail address from now on');
  });
  expect(mails.some(({ to }) => to === 'next@example.com')).toBe(false);
});

test('the current password that comes with a new one is the proof for a new address', async () => {
  const company = await mailing.freshCompany();
  later(mailing);
  const password = 'staple battery';
  const passwords = { password, password_confirmation: password };
  expect(await change(company, 'two@example.com', { current_password: 'correct horse' })).toBe(403);
  const both = { ...passwords, current_password: 'correct horse' };
  expect(await change(company, 'two@example.com', both)).toBe(200);
});

test('a person with a second factor, and one whose company has a provider, prove it for a new address', async () => {
  const company = await app.freshCompany();
  const { data: options } = await company.call('POST', '/account/passkeys/creation');
  const credential = softwareAuthenticator('http://bidwell.test').create(options);
  await company.call('POST', '/account/passkeys', { name: 'Phone', credential });
  const connected = await app.freshCompany();
  await signOnOf(app).setUp(connected);
  later(app);
  expect(await change(company, 'other@example.com')).toBe(403);
  expect(await change(connected, 'other@example.com')).toBe(403);
});
