import { startReviewCounterpart } from '@bidwell/testing/exchange-reviews/review-counterpart';
import { expect } from '@playwright/test';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import {
  approveAndFund,
  freshCompany,
  makeAdsetParts,
  makeCampaign,
  startCampaign,
} from '../support/company.ts';
import { bidFor, offer } from '../support/exchange.ts';
import { logInAsOperator } from '../support/operator.ts';
import { errorsOf } from '../support/page-errors.ts';
import { startServer } from '../support/server.ts';
import { signIn } from '../support/session.ts';
import { emptyFolder } from '../support/shared-server.ts';
import { test } from '../support/test.ts';

const REASON = 'The brand of the advertiser cannot be recognized';

test('an exchange disapproves a creative: its preview, the notification and the diagnosis say why, and it is sent again', async ({
  page,
}) => {
  const errors = errorsOf(page);
  const xandr = await startReviewCounterpart();
  xandr.judge = (creative) =>
    Object.assign(
      creative,
      creative.writes === 1 ? { state: 'disapproved', reasons: [REASON] } : { state: 'approved' },
    );
  const alerts: string[] = [];
  const hook = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      alerts.push(body);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  const hookHost = `127.0.0.1:${(hook.address() as AddressInfo).port}`;
  const own = await startServer(
    'serve',
    { PARTNER_STAND_IN: xandr.origin, ALERT_INTERNAL_HOSTS: hookHost },
    emptyFolder(),
  );
  const { server } = own;
  try {
    const settings = { name: 'Larkfield Media', profile: 'xandr' };
    const { path } = await server.operator<{ path: string }>('PUT', '/ssps/larkfield', settings);
    await test.step('an operator connects the review', async () => {
      await logInAsOperator(page, server);
      await page.goto(`${server.url}/operator/exchanges/larkfield?tab=creatives`);
      await expect(page.getByText('Creatives are not submitted. Not accepted yet.')).toBeVisible();
      await page.getByLabel('Submit creatives').check();
      await page.getByLabel('Member id').fill('member');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('A number of at most 20 digits')).toBeVisible();
      await page.getByLabel('Member id').fill(xandr.xandr.member);
      await page.getByLabel('User name').fill(xandr.xandr.username);
      await page.getByLabel('Password', { exact: true }).fill(xandr.xandr.password);
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('The review is saved')).toBeVisible();
      await expect(page.getByText('No creative has been submitted yet.')).toBeVisible();
    });

    const company = await freshCompany(server);
    const channel = { type: 'webhook', name: 'Ours', url: `http://${hookHost}/`, kinds: ['review'] };
    await company.api.send('POST', '/alerts/channels', channel, z.object({}));
    const parts = await makeAdsetParts(company);
    const { uuid } = await makeCampaign(company, parts, 'Spring launch');
    await approveAndFund(server, company);
    await startCampaign(company, uuid);

    await test.step('the list says where it is not bid, and the notification opens its preview', async () => {
      await signIn(page, server, company);
      await page.goto(`${server.url}/creatives`);
      const row = page.getByRole('row', { name: /Harvest/ });
      await expect(row).toContainText('Disapproved by Larkfield Media', { timeout: 60_000 });
      await page.goto(`${server.url}/campaigns`);
      await page.getByRole('button', { name: /^Notifications/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('link', { name: /Creative disapproved by Larkfield Media/ })
        .click();
      await expect(page).toHaveURL(/\/creatives\?creative=/);
      const reviews = page.getByRole('region', { name: 'Review by exchanges' });
      await expect(reviews).toContainText(REASON);
      await expect(reviews).toContainText('Disapproved');
      expect(await seriousViolations(page)).toEqual([]);
    });

    await test.step('an alert has it too', async () => {
      await expect.poll(() => alerts.join('\n')).toContain('Creative disapproved by Larkfield Media');
    });

    await test.step('the diagnosis has it, with a button to the creative', async () => {
      await page.goto(`${server.url}/campaigns/delivery?uuid=${uuid}`);
      const findings = page.getByRole('region', { name: 'Findings' });
      await expect(async () => {
        for (let sent = 0; sent < 10; sent += 1)
          expect(await offer(server.url, path, `request-${Math.random()}`)).toBeNull();
        await expect(findings).toContainText(`Larkfield Media disapproved “Harvest”: ${REASON}.`, {
          timeout: 5000,
        });
      }).toPass();
      await expect(page.getByText('Creative not approved by the exchange')).toBeVisible();
      expect(await seriousViolations(page)).toEqual([]);
      await findings.getByRole('link', { name: 'See why' }).click();
    });

    await test.step('it is sent again, approved and bid', async () => {
      const reviews = page.getByRole('region', { name: 'Review by exchanges' });
      await reviews.getByRole('button', { name: 'Send it again to Larkfield Media' }).click();
      await expect(page.getByText('The creative is being sent to Larkfield Media again')).toBeVisible();
      await expect(reviews).toContainText('Approved', { timeout: 60_000 });
      await expect(page.getByRole('row', { name: /Harvest/ })).not.toContainText('Larkfield Media');
      await bidFor(server.url, path, 'approved');
    });
    expect(errors).toEqual([]);
  } finally {
    await own.stop();
    await xandr.close();
    hook.close();
  }
});
