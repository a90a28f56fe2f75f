import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { startSession } from '../../modules/identity/service.ts';
import { notifyOnce } from '../../modules/messaging/notifications/service.ts';
import { appBody, make } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { jobsOfDomains } from './jobs.ts';

const DAY_MS = 86_400_000;
const app = await testApp({
  NOTIFICATIONS_KEPT_DAYS: '30',
  CHANGES_KEPT_DAYS: '100',
  OPERATOR_ACTS_KEPT_DAYS: '200',
});
const start = app.clock.now.getTime();
const atDay = (day: number) => void (app.clock.now = new Date(start + day * DAY_MS));

async function runJobs(): Promise<void> {
  const stopping = new AbortController().signal;
  // Jobs that delete by age do not call delivery.
  for (const { name, work } of jobsOfDomains(app.ctx, {} as never))
    if (/^delete (old|marks)/.test(name)) await work(stopping);
}

/** Reads a path as the company's user in a session of now. */
async function read({ companyId, userId }: TestCompany, path: string) {
  const { tokens } = await startSession(app.ctx, { companyId, userId });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  return (await app.http.inject({ url: `/api/internal${path}`, headers })).json().data;
}

test('changes, notifications and audit entries are deleted after the days of their settings', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const notify = (title: string) =>
    notifyOnce(app.ctx, companyId, { kind: 'adset', severity: 'info', title, text: 'Text', onceKey: title });
  const credit = async (reason: string) =>
    app.operator('POST', `/companies/${companyId}/credit`, { amount: 1, reason });
  const shown = async () => {
    const notifications = await read(company, '/notifications');
    const { changes } = await read(company, `/company/${companyId}/changes`);
    const { data } = await app.operator('GET', `/acts?company_uuid=${companyId}`);
    return {
      notifications: notifications.map(({ title }: { title: string }) => title),
      changes: changes
        .map(({ entity_name: name }: { entity_name: string }) => name)
        .filter((name: string) => name === 'Old'),
      acts: data.acts.map(({ reason }: { reason: string }) => reason),
    };
  };
  await make(company, '/app', appBody({ name: 'Old' }));
  await notify('Old');
  await credit('Old');
  await runJobs();
  const before = await shown();
  expect(before).toEqual({ notifications: ['Old'], changes: ['Old'], acts: ['Old'] });

  atDay(31);
  await notify('New');
  await credit('New');
  await runJobs();
  expect(await shown()).toEqual({ ...before, notifications: ['New'], acts: ['New', 'Old'] });

  atDay(101);
  await notify('Newest');
  await runJobs();
  expect(await shown()).toEqual({ notifications: ['Newest'], changes: [], acts: ['New', 'Old'] });
  // The account itself stays.
  expect(await read(company, '/app')).toMatchObject({ apps: [{ name: 'Old' }] });

  atDay(201);
  await runJobs();
  expect((await shown()).acts).toEqual(['New']);
});

test('marks of batches whose tracker has not come back for ninety days are deleted', async () => {
  const { db } = app.ctx;
  const markAt = (day: number) => uuidv7({ msecs: start + day * DAY_MS });
  const [old, young] = [markAt(0), markAt(2)];
  const marks = async () =>
    (await db.selectFrom('booked_batches').select('batch').where('batch', 'in', [old, young]).execute()).map(
      ({ batch }) => batch,
    );
  await db
    .insertInto('booked_batches')
    .values([{ batch: old }, { batch: young }])
    .execute();
  atDay(89);
  await runJobs();
  expect((await marks()).toSorted()).toEqual([old, young]);
  atDay(91);
  await runJobs();
  expect(await marks()).toEqual([young]);
});
