import { type Browser, type Page, expect } from '@playwright/test';
import { z } from 'zod';
import type { Company } from './company.ts';
import type { Server } from './server.ts';

/** A page of the colleague "Ada", who has joined by an invitation. */
export async function colleagueOf(
  browser: Browser,
  server: Server,
  { api, user }: Company,
  role: string,
): Promise<Page> {
  const invitation = { email: `${user.login}.${role}@example.com`, role };
  const { link } = await api.send('POST', '/people/invitations', invitation, z.object({ link: z.string() }));
  const page = await (await browser.newContext()).newPage();
  const person = {
    token: new URL(link).hash.slice(1),
    login: user.login.replace('test.', `${role.slice(0, 4)}.`),
    password: 'battery staple',
    first_name: 'Ada',
    contact: '@ada',
  };
  // The page gets the cookies of the response.
  const joined = await page.request.post(`${server.url}/api/internal/invitation/registration`, {
    data: person,
  });
  expect(joined.status()).toBe(201);
  return page;
}
