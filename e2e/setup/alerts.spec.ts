import { expect } from '@playwright/test';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { confirmedCompany, startMailServer } from '../support/mail-server.ts';
import { startServer } from '../support/server.ts';
import { signIn } from '../support/session.ts';
import { emptyFolder } from '../support/shared-server.ts';
import { test } from '../support/test.ts';

/** A server that receives webhooks, with the status that it responds. */
async function receiver() {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(state.status).end(state.status === 200 ? 'thanks' : 'Out of order');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}/hook`, received, state, close: () => server.close() };
}

test('an owner adds a webhook, tests it, repairs it and replays what failed', async ({ page }) => {
  const hook = await receiver();
  const own = await startServer('serve', { ALERT_INTERNAL_HOSTS: hook.host }, emptyFolder());
  try {
    const company = await freshCompany(own.server);
    await signIn(page, own.server, company);
    await page.goto(`${own.server.url}/alerts`);
    await expect(page.getByText('There are no channels yet.')).toBeVisible();
    const low = page.getByRole('region', { name: 'Low balance' });
    await low.getByLabel('Alert at', { exact: true }).fill('250');
    await low.getByRole('button', { name: 'Save amount' }).click();
    await expect(page.getByText('Low balance saved')).toBeVisible();
    await page.reload();
    await expect(low.getByLabel('Alert at', { exact: true })).toHaveValue(/250/);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Webhook', { exact: true }).click();
    await dialog.getByLabel('Name').fill('Our server');
    await dialog.getByLabel('Address').fill('nonsense');
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    await expect(dialog.getByText('Enter an address that starts with https://')).toBeVisible();
    await dialog.getByLabel('Address').fill(hook.url);
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    const secret = await dialog.getByTestId('signing-secret').innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();

    hook.state.status = 503;
    await page.getByRole('button', { name: 'More about Our server' }).click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    const log = page.getByRole('dialog', { name: 'Deliveries to “Our server”' });
    await expect(log.getByText('HTTP 503')).toBeVisible();
    await expect(log.getByText('Out of order')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    hook.state.status = 200;
    await expect(log.getByText('Delivered')).toBeVisible();
    const { headers, body } = hook.received.at(-1)!;
    const id = headers['webhook-id'] as string;
    const signed = `${id}.${headers['webhook-timestamp'] as string}.${body}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );

    const before = hook.received.length;
    await log.getByRole('button', { name: 'Send “Test alert” again' }).click();
    await expect
      .poll(() => hook.received.slice(before).map((each) => each.headers['webhook-id']))
      .toEqual([id]);
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: 'Our server is on' }).click({ force: true });
    await expect(page.getByRole('switch', { name: 'Our server is on' })).not.toBeChecked();
  } finally {
    await own.stop();
    hook.close();
  }
});

test('the log of a channel loads more deliveries until it has all', async ({ page, server }) => {
  const company = await freshCompany(server);
  const channel = { type: 'webhook', name: 'Ours', url: 'https://hooks.example/a', kinds: ['balance'] };
  await company.api.send('POST', '/alerts/channels', channel, z.unknown());
  const delivery = (number: number) => ({
    uuid: `018e0000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    kind: 'alert.balance',
    title: `Alert ${number}`,
    status: 'delivered',
    attempts: 1,
    attempted_at: '2026-03-01T12:00:00.000Z',
    next_attempt_at: null,
    response_status: 200,
    response_start: 'ok',
    error: null,
    created_at: '2026-03-01T12:00:00.000Z',
  });
  const cursor = 'a'.repeat(32);
  await page.route(/\/alerts\/channels\/[^/]+\/deliveries/, (route) => {
    const isFirst = new URL(route.request().url()).searchParams.get('cursor') !== cursor;
    const data = { deliveries: [delivery(isFirst ? 2 : 1)], next: isFirst ? cursor : null };
    return route.fulfill({ json: { data } });
  });
  await signIn(page, server, company);
  await page.goto(`${server.url}/alerts`);
  await page.getByRole('button', { name: 'Log of Ours' }).click();
  const log = page.getByRole('dialog', { name: 'Deliveries to “Ours”' });
  await expect(log.getByText('Alert 2')).toBeVisible();
  await expect(log.getByText('Alert 1')).toHaveCount(0);
  await log.getByRole('button', { name: 'Load more' }).click();
  await expect(log.getByText('Alert 1')).toBeVisible();
  await expect(log.getByText('Alert 2')).toBeVisible();
  await expect(log.getByRole('button', { name: 'Load more' })).toHaveCount(0);
});

test('an owner adds a rule, switches it off, changes and removes it @journey', async ({ page, server }) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/alerts`);
  const rules = page.getByRole('region', { name: 'Rules' });
  await expect(rules.getByText('There are no rules yet.')).toBeVisible();
  await rules.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a rule' });
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog.getByText('Required')).toBeVisible();
  await dialog.getByLabel('Threshold').fill('6');
  await dialog.getByLabel('Minimum').click();
  await page.getByRole('option', { name: 'Installs' }).click();
  await dialog.getByLabel('At least').fill('10');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(rules.getByText('CPI above $6.00 over 3 days')).toBeVisible();
  await expect(rules.getByText('All campaigns, from 10 installs on')).toBeVisible();
  await rules.getByRole('switch', { name: 'CPI above $6.00 over 3 days is on' }).click({ force: true });
  await expect(rules.getByText('Off', { exact: true })).toBeVisible();
  await rules.getByRole('button', { name: 'More about CPI above $6.00 over 3 days' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const change = page.getByRole('dialog', { name: 'Change the rule' });
  await change.getByLabel('Figure').click();
  await page.getByRole('option', { name: 'ROAS D7' }).click();
  await change.getByText('below', { exact: true }).click();
  await change.getByLabel('Threshold').fill('20');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(rules.getByText('ROAS D7 below 20% over 3 days')).toBeVisible();
  await rules.getByRole('button', { name: /^More about ROAS D7/ }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(rules.getByText('There are no rules yet.')).toBeVisible();
});

test('alerts come by mail as someone chooses, and the link of a mail ends them', async ({
  page,
  browser,
}) => {
  const mail = await startMailServer();
  const own = await startServer('serve', { SMTP_URL: mail.url }, emptyFolder());
  try {
    const { server } = own;
    const company = await confirmedCompany(server, mail);
    await signIn(page, server, company);
    await page.goto(`${server.url}/campaigns`);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('link', { name: 'Get them by mail or in a chat' }).click();
    const form = page.getByRole('region', { name: 'My mails' });
    await form.getByLabel('Account').check();
    await form.getByLabel('Balance').uncheck();
    await form.getByLabel('Quiet hours').click({ force: true });
    // A click on an option of a list that still moves is lost.
    await expect(async () => {
      await form.getByLabel('From').click();
      await page.getByRole('option', { name: '07:00' }).click();
      await expect(form.getByLabel('From')).toHaveValue('07:00', { timeout: 2000 });
    }).toPass();
    await form.getByRole('button', { name: 'Save mails' }).click();
    await expect(form.getByText('Choose two different hours, or none')).toBeVisible();
    await form.getByLabel('Quiet hours').click({ force: true });
    await form.getByRole('button', { name: 'Save mails' }).click();
    await expect(page.getByText('Mails saved')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);

    const { companyUuid } = company;
    await server.operator('POST', `/companies/${companyUuid}/credit`, { amount: 10, reason: 'Test' });
    await server.operator('POST', `/companies/${companyUuid}/debit`, { amount: 10, reason: 'Test' });
    await server.operator('PUT', `/companies/${companyUuid}/suspension`, {
      suspended: true,
      reason: 'A test',
    });
    await expect.poll(() => mail.mails.length).toBe(1);
    const [text] = mail.mails as [string];
    expect(text).toContain('Subject: Company suspended');
    expect(text).not.toContain('Balance used up');

    const link = /http:\/\/localhost:\d+\/unsubscribe#[\w-]+/.exec(text)![0];
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(link);
    await expect(guest.getByRole('heading', { name: 'End these mails?' })).toBeVisible();
    expect(await seriousViolations(guest)).toEqual([]);
    await guest.getByRole('button', { name: 'End mails' }).click();
    await expect(guest.getByRole('heading', { name: 'Mails ended' })).toBeVisible();
    await guest.context().close();
    await page.reload();
    await expect(form.getByLabel('How often')).toHaveValue('Never');
  } finally {
    await own.stop();
    mail.close();
  }
});
