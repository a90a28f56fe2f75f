import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test, vi } from 'vitest';
import { recordBackup } from '../../backup/stream-backup.ts';
import * as jobs from '../../platform/jobs/repeat.ts';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { createMessenger } from '../messaging/messenger.ts';
import { mailOperatorAlerts, operatorAlertMails, warningsOf } from './operator-alerts.ts';

// No background job mails anything; the test does.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const { url, mails, refusals } = await mailServer();
const app = await testApp({
  SMTP_URL: url,
  PUBLIC_URL: 'https://bidwell.test',
  OPERATOR_ALERT_MAIL: 'ops@example.com',
});
const { ctx, clock } = app;
const sender = createMessenger(ctx, [operatorAlertMails]);
const HOUR_MS = 3_600_000;
const pass = (hours: number) => (clock.now = new Date(clock.now.getTime() + hours * HOUR_MS));
/** Sends the waiting messages, as the process that leads the jobs does: without jobs none leads on servers. */
const sendMails = async () => {
  await sender.tick();
  await sender.idle();
};
/** Tries of the waiting mails; a mail that is being sent has none yet. */
const triesOfWaiting = async () =>
  (await ctx.db.selectFrom('messages').select('attempts').where('claimed_until', 'is', null).execute()).map(
    ({ attempts }) => attempts,
  );
const backUp = async () =>
  transact(ctx.db, async (tx) => recordBackup(ctx, tx, { by: TOKEN_HOLDER, missing: [] }));

test('operators get a mail when the last backup is two days old, once a day by several servers', async () => {
  await backUp();
  pass(48);
  await mailOperatorAlerts(ctx);
  expect(mails).toEqual([]);
  pass(1);
  refusals.set('ops@example.com', 451);
  await Promise.all([mailOperatorAlerts(ctx), mailOperatorAlerts(ctx)]);
  await sendMails();
  await eventually(async () => expect(await triesOfWaiting()).toEqual([1]));
  expect(mails).toEqual([]);
  refusals.clear();
  pass(1 / 60);
  await sendMails();
  expect(mails.map(({ to }) => to)).toEqual(['ops@example.com']);
  expect(mails[0]!.text).toContain('The last backup is 49 hours old.');
  pass(23 - 1 / 60);
  await mailOperatorAlerts(ctx);
  expect(await triesOfWaiting()).toEqual([]);
  expect(mails).toHaveLength(1);
  pass(1);
  await mailOperatorAlerts(ctx);
  await sendMails();
  await eventually(() => expect(mails).toHaveLength(2));
  await backUp();
  pass(24);
  await mailOperatorAlerts(ctx);
  expect(await triesOfWaiting()).toEqual([]);
  expect(mails).toHaveLength(2);
});

test('an unknown value is no warning, and each fault is one', () => {
  const fine = { backupAgeSeconds: 0, ledgerDisagreements: null, clickhouseFreeRatio: null };
  expect([...warningsOf(fine).keys()]).toEqual([]);
  const faults = { backupAgeSeconds: 200_000, ledgerDisagreements: 2, clickhouseFreeRatio: 0.05 };
  expect([...warningsOf(faults).keys()]).toEqual(['backup', 'ledger', 'disk']);
});
