import { v7 as uuidv7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { makeCampaign, storeEvents } from '../../testing/stored-events.ts';
import * as jobs from '../../platform/jobs/repeat.ts';
import { testApp } from '../../testing/test-app.ts';
import { creditCompany, postSpend } from './service.ts';

// No background job posts spend; only the check does.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp();
const { engines } = app;
const check = async () => (await app.operator('GET', '/ledger/check')).data;

test('the check posts due spend first, and reports the size of the ledger', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(engines, company, 'Due');
  await creditCompany(engines, company.companyId, 5_000_000, 'Trial');
  const at = app.clock.now.toISOString();
  await storeEvents(engines, company.companyId, [
    { at, kind: 'billing', campaignId, spendMicros: 1_250_000 },
  ]);
  expect(await check()).toEqual({
    checked_at: app.clock.now.toISOString(),
    transactions: 2,
    entries: 4,
    balances: 3.75,
    disagreements: [],
  });
});

test('spend that arrives during the check is not a discrepancy', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(engines, company, 'Busy');
  const spend = async () =>
    storeEvents(engines, company.companyId, [
      { at: app.clock.now.toISOString(), kind: 'billing', campaignId, spendMicros: 7 },
    ]);
  await spend();
  const checked = new AbortController();
  const traffic = (async () => {
    while (!checked.signal.aborted) await spend();
  })();
  for (let time = 0; time < 4; time += 1) expect((await check()).disagreements).toEqual([]);
  checked.abort();
  await traffic;
});

test('spend in the ledger without events is found', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(engines, company, 'Invented');
  const at = app.clock.now.toISOString();
  await storeEvents(engines, company.companyId, [
    { at, kind: 'billing', campaignId, spendMicros: 1_000_000 },
  ]);
  await postSpend(engines);
  await engines.clickhouse.command(
    `alter table events delete where campaign_id = '${campaignId}' settings mutations_sync = 1`,
  );
  const hour = `${at.slice(0, 13)}:00:00.000Z`;
  expect((await check()).disagreements).toEqual([
    { what: 'spend', company_uuid: company.companyId, of: `${campaignId} ${hour}`, expected: 0, found: 1 },
    { what: 'report', company_uuid: company.companyId, of: company.companyId, expected: 1, found: 0 },
  ]);
});

test('an event that is stored twice is found, and so is a bid charged by two events', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(engines, company, 'Twice');
  const at = app.clock.now.toISOString();
  const [doubled, charged] = [uuidv7(), uuidv7()];
  const spent = { at, campaignId, spendMicros: 1_000_000 };
  await storeEvents(engines, company.companyId, [
    { ...spent, kind: 'billing', bidId: doubled },
    { ...spent, kind: 'billing', bidId: doubled },
    { ...spent, kind: 'billing', bidId: charged },
    { ...spent, kind: 'impression', bidId: charged },
    { ...spent, kind: 'billing' },
  ]);
  const found = (await check()).disagreements.filter(({ what }: { what: string }) => what === 'event');
  const of = (bid: string) => ({
    what: 'event',
    company_uuid: company.companyId,
    of: bid,
    expected: 1,
    found: 2,
  });
  expect(found).toHaveLength(2);
  expect(found).toEqual(expect.arrayContaining([of(doubled), of(charged)]));
});
