import { OperatorLoginStep, type OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import { type Page, expect } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Server } from './server.ts';

/** The password of operators that tests add. */
export const OPERATOR_PASSWORD = 'a long passphrase';

/** A login that no operator has yet. */
export const freshLogin = (): string => `operator.${randomUUID().replaceAll(/[^a-f]/g, '')}`;

/** Adds the operator "Olivia Operator", who has no authenticator app yet; returns the login. */
async function addOperator({ operator }: Server, role: OperatorRole): Promise<string> {
  const login = freshLogin();
  await operator('POST', '/operators', { login, name: 'Olivia Operator', role, password: OPERATOR_PASSWORD });
  return login;
}

/** The present code of an authenticator app. */
const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Adds an operator with an authenticator app, whose session the page's browser gets, and opens the first screen. */
export async function logInAsOperator(
  page: Page,
  server: Server,
  role: OperatorRole = 'admin',
): Promise<string> {
  const login = await addOperator(server, role);
  const step = async (code?: string): Promise<OperatorLoginStep> => {
    const data = { login, password: OPERATOR_PASSWORD, code };
    // The page gets the cookie of the response.
    const response = await page.request.post(`${server.url}/api/operator/session`, { data });
    return OperatorLoginStep.parse(((await response.json()) as { data: unknown }).data);
  };
  const first = await step();
  if (first.next !== 'enrol') throw new Error('A new operator has an authenticator app.');
  expect(await step(codeOf(first.secret))).toMatchObject({ next: 'session' });
  await page.goto(`${server.url}/operator`);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  return login;
}

/** Adds an operator, who logs in on the page that is open and sets up the authenticator app. */
export async function logInOnOperatorPage(page: Page, server: Server): Promise<string> {
  const login = await addOperator(server, 'admin');
  await page.getByLabel('Login').fill(login);
  await page.getByRole('textbox', { name: 'Password' }).fill(OPERATOR_PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = await page.locator('code').textContent();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret!));
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  return login;
}
