import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { confirmMail } from '@bidwell/testing/people';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const { url, mails } = await mailServer();
const app = await testApp({ SMTP_URL: url });

const profile = { email: 'new@example.com', first_name: 'Grace', last_name: 'Hopper', contact: '@grace' };

/** Changes the mail address of a company's person; resolves to the status. */
async function change({ call, userId }: TestCompany, email: string, more: object = {}): Promise<number> {
  return (await call('PUT', `/users/${userId}`, { ...profile, email, ...more })).status;
}
/** Moves the clock on, so that the login is no recent proof any more. */
function later(): void {
  app.clock.now = new Date(app.clock.now.getTime() + 11 * 60_000);
}

test('where the server sends links for a new password, a new address needs a recent proof, and the former one is notified', async () => {
  const company = await app.freshCompany();
  expect(await change(company, 'former@example.com')).toBe(200);
  await confirmMail(app.ctx, company.userId);
  later();
  expect(await change(company, 'former@example.com', { contact: '@hopper' })).toBe(200);
  expect(await change(company, 'next@example.com')).toBe(403);
  await company.call('POST', '/account/confirmation', { password: 'correct horse' });
  expect(await change(company, 'next@example.com')).toBe(200);
  await eventually(() => {
    const textsTo = (address: string) => mails.filter(({ to }) => to === address).map(({ text }) => text);
    expect(textsTo('former@example.com')).toEqual([
      expect.stringContaining('confirm-address#'),
      expect.stringContaining('has another mail address from now on'),
    ]);
    expect(textsTo('next@example.com')).toEqual([expect.stringContaining('confirm-address#')]);
  });
});

test('the current password that comes with a new one is the proof for a new address', async () => {
  const company = await app.freshCompany();
  later();
  const password = 'staple battery';
  const passwords = { password, password_confirmation: password };
  expect(await change(company, 'two@example.com', { current_password: 'correct horse' })).toBe(403);
  const both = { ...passwords, current_password: 'correct horse' };
  expect(await change(company, 'two@example.com', both)).toBe(200);
});

test('a person changes the address ten times in ten minutes at most, since each former one is notified', async () => {
  const company = await app.freshCompany();
  for (let number = 0; number < 10; number += 1)
    expect(await change(company, `number${number}@example.com`)).toBe(200);
  expect(await change(company, 'one.more@example.com')).toBe(429);
});
