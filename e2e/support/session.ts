import type { DemoUser } from '@bidwell/exchange/demo/api';
import { type Page, expect } from '@playwright/test';
import { type AdsetParts, type Company, freshCompany, makeAdsetParts, makeCampaign } from './company.ts';
import { solveCaptcha } from './fields.ts';
import type { Server } from './server.ts';

/**
 * Gives the page's browser the company's session, as a login does; opens no page. A session works in one browser only:
 * each use of its cookie replaces it.
 */
export async function signIn(page: Page, { url }: Server, { cookies }: Company): Promise<void> {
  const given = cookies.map((cookie) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
    return {
      name: name!,
      value: value!,
      url,
      httpOnly: /; HttpOnly/i.test(cookie),
      sameSite: 'Strict' as const,
    };
  });
  // A header without a value deletes its cookie.
  await page.context().addCookies(given.filter(({ value }) => value !== ''));
}

/** Creates a company with the entities that an ad set refers to, and gives the page's browser its session. */
export async function signInToNewCompany(
  page: Page,
  server: Server,
): Promise<{ company: Company; parts: AdsetParts }> {
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company);
  await signIn(page, server, company);
  return { company, parts };
}

/** As {@link signInToNewCompany}; the company has the paused campaign "Spring launch" too. */
export async function signInWithCampaign(
  page: Page,
  server: Server,
): Promise<{ company: Company; parts: AdsetParts; uuid: string }> {
  const { company, parts } = await signInToNewCompany(page, server);
  const { uuid } = await makeCampaign(company, parts, 'Spring launch');
  return { company, parts, uuid };
}

/** Logs a user in through the login page. */
export async function logInOnPage(page: Page, server: Server, user: DemoUser): Promise<void> {
  await page.goto(`${server.url}/login`);
  await enterLogin(page, user);
  await expect(page).toHaveURL(/\/campaigns/);
}

/** Fills in and sends the login page, which is open. */
export async function enterLogin(page: Page, { login, password }: DemoUser): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').first().fill(password);
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Log in' }).click();
}
