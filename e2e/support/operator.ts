import type { OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import { type Page, expect } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Server } from './server.ts';

/** The password of operators that tests add. */
export const OPERATOR_PASSWORD = 'a long passphrase';

/** A login that no operator has yet. */
export const freshLogin = (): string => `operator.${randomUUID().replaceAll(/[^a-f]/g, '')}`;

/** Adds an operator, logs in on the page and sets up the authenticator app. */
export async function logInAsOperator(
  page: Page,
  server: Server,
  role: OperatorRole = 'admin',
): Promise<string> {
  const login = freshLogin();
  await server.operator('POST', '/operators', {
    login,
    name: 'Olivia Operator',
    role,
    password: OPERATOR_PASSWORD,
  });
  await page.goto(`${server.url}/operator/login`);
  await page.getByLabel('Login').fill(login);
  await page.getByRole('textbox', { name: 'Password' }).fill(OPERATOR_PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = await page.locator('code').textContent();
  await page
    .getByRole('textbox', { name: 'Code' })
    .fill(new TOTP({ secret: Secret.fromBase32(secret!) }).generate());
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  return login;
}
