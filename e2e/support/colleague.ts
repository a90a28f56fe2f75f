import type { Browser, Page } from '@playwright/test';
import { z } from 'zod';
import type { Company } from './company.ts';
import type { Server } from './server.ts';

/** A page of a colleague, who joins by an invitation. */
export async function colleagueOf(
  browser: Browser,
  server: Server,
  company: Company,
  role: string,
): Promise<Page> {
  const email = `${company.user.login}.${role}@example.com`;
  const { link } = await company.api.send(
    'POST',
    '/people/invitations',
    { email, role },
    z.object({ link: z.string() }),
  );
  const { pathname, hash } = new URL(link);
  const page = await (await browser.newContext()).newPage();
  await page.goto(server.url + pathname + hash);
  await page.getByLabel('Login').fill(company.user.login.replace('test.', `${role.slice(0, 4)}.`));
  await page.getByLabel('Password').first().fill('battery staple');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Contact').fill('@ada');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL(/\/campaigns/);
  return page;
}
