import { approvalApiMessages } from '@bidwell/contract/approvals/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const app = await testApp({ MODERATION: 'auto' });
const needed = approvalApiMessages.approvalNeeded('day', '$100.00');

/** A company in which a second person approves budgets above $100 a day, with a running campaign of $50 a day. */
async function ruled() {
  const owner = await app.freshCompany();
  const editor = await app.freshPerson(owner, 'editor');
  const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, owner);
  const set = (body: object) => owner.call('PUT', `/adset/${adsetUuid}`, body);
  await set({ daily_budget_const: 50 });
  const limits = { daily_budget_above: 100, total_budget_above: null };
  expect((await owner.call('PUT', '/approval/limits', limits)).status).toBe(200);
  const ask = (by: TestCompany, daily: number | null, more: object = {}) =>
    by.call('POST', '/approval', {
      campaign_uuid: campaignUuid,
      adsets: [{ uuid: adsetUuid, daily_budget_const: daily }],
      ...more,
    });
  const approve = (by: TestCompany, { uuid, hash }: { uuid: string; hash: string }) =>
    by.call('POST', `/approval/${uuid}/approve`, { hash });
  const daily = async () => (await owner.call('GET', `/adset/${adsetUuid}`)).data.daily_budget_const;
  const status = async () => (await owner.call('GET', `/campaign/${campaignUuid}`)).data.status;
  return { owner, editor, campaignUuid, adsetUuid, set, ask, approve, daily, status };
}
/** The company's latest change of an entity. */
const lastChange = async (company: TestCompany, uuid: string) => {
  const { data } = await company.call('GET', `/company/${company.companyId}/changes?limit=50`);
  return data.changes.find((change: { entity_uuid: string }) => change.entity_uuid === uuid);
};
const nameOf = async (company: TestCompany) => {
  const { first_name, last_name } = (await company.call('GET', `/users/${company.userId}`)).data;
  return `${first_name} ${last_name}`.trim();
};

test('an ad set with a total budget alone may spend all of it on a day, and no more', async () => {
  const { set } = await ruled();
  const total = (all_budget_const: number) => set({ daily_budget_const: null, all_budget_const });
  expect((await total(100)).status).toBe(200);
  expect(await total(101)).toMatchObject({ status: 422, data: needed });
});

test('no call raises the budgets of a running campaign above the limit by itself', async () => {
  const it = await ruled();
  const { owner, editor, campaignUuid, adsetUuid, set } = it;
  const isNeeded = { data: needed, errors: expect.arrayContaining([{ field: 'approval', message: needed }]) };
  for (const body of [{ daily_budget_const: 101 }, { daily_budget_const: null }])
    expect(await set(body)).toMatchObject({ status: 422, ...isNeeded });
  expect(await it.daily()).toBe(50);
  // Up to the limit no approval is needed.
  expect((await set({ daily_budget_const: 100 })).status).toBe(200);

  // A second ad set: copied, started; assigned to the campaign; restored.
  const { data: copy } = await editor.call('POST', `/adset/${adsetUuid}/duplicate`);
  expect(await editor.call('PUT', `/adset/${copy.uuid}`, { status: 'Active' })).toMatchObject(isNeeded);
  await editor.call('POST', `/adset/${copy.uuid}/archive`);
  const { data: third } = await editor.call('POST', `/adset/${adsetUuid}/duplicate`);
  await editor.call('PUT', `/campaign/${campaignUuid}`, { adset_uuids: [adsetUuid] });
  await editor.call('PUT', `/adset/${third.uuid}`, { status: 'Active' });
  const both = { adset_uuids: [adsetUuid, third.uuid] };
  expect(await editor.call('PUT', `/campaign/${campaignUuid}`, both)).toMatchObject(isNeeded);
  expect((await editor.call('GET', `/campaign/${campaignUuid}`)).data.adsets).toHaveLength(1);

  // Undoes a budget that was lowered while the campaign was paused, and the pause.
  await editor.call('POST', `/campaign/${campaignUuid}/pause`);
  await set({ daily_budget_const: 900 });
  const start = await editor.call('POST', `/campaign/${campaignUuid}/start`);
  expect(start).toMatchObject({ status: 409, ...isNeeded });
  await set({ daily_budget_const: 90 });
  const lowered = await lastChange(owner, adsetUuid);
  expect((await editor.call('POST', `/campaign/${campaignUuid}/start`)).status).toBe(200);
  const undo = await editor.call('POST', `/changes/${lowered.uuid}/undo`);
  expect([undo.status, undo.data]).toEqual([409, expect.stringContaining(needed)]);
  await editor.call('POST', `/campaign/${campaignUuid}/pause`);
  const pause = await lastChange(owner, campaignUuid);
  await set({ daily_budget_const: 900 });
  expect((await editor.call('POST', `/changes/${pause.uuid}/undo`)).status).toBe(409);
  expect(await it.status()).toBe('Paused');

  // A copy of the campaign does not start either.
  const { data: copied } = await editor.call('POST', `/campaign/${campaignUuid}/duplicate`);
  expect(await editor.call('POST', `/campaign/${copied.uuid}/start`)).toMatchObject(isNeeded);
});

test('a restored ad set counts, and an ad set that only spends less is changed as usual', async () => {
  const { owner, campaignUuid, adsetUuid, set } = await ruled();
  const { data: copy } = await owner.call('POST', `/adset/${adsetUuid}/duplicate`);
  expect((await owner.call('PUT', `/adset/${copy.uuid}`, { status: 'Active' })).status).toBe(200);
  await owner.call('POST', `/adset/${copy.uuid}/archive`);
  expect((await set({ daily_budget_const: 100 })).status).toBe(200);
  expect(await owner.call('POST', `/adset/${copy.uuid}/restore`)).toMatchObject({
    status: 409,
    data: needed,
  });
  const limits = { daily_budget_above: 10, total_budget_above: 20 };
  await owner.call('PUT', '/approval/limits', limits);
  expect((await set({ daily_budget_const: 60, name: 'Renamed' })).status).toBe(200);
  expect((await set({ all_budget_const: 1000 })).status).toBe(200);
  expect((await set({ all_budget_const: 1001 })).status).toBe(422);
  expect((await owner.call('GET', `/campaign/${campaignUuid}`)).data.status).toBe('Active');
});

test('one of two concurrent raises is made if both together exceed the limit', async () => {
  const { owner, adsetUuid } = await ruled();
  const { data: copy } = await owner.call('POST', `/adset/${adsetUuid}/duplicate`);
  await owner.call('PUT', `/adset/${copy.uuid}`, { daily_budget_const: 40, status: 'Active' });
  const raised = await Promise.all(
    [adsetUuid, copy.uuid].map((uuid) => owner.call('PUT', `/adset/${uuid}`, { daily_budget_const: 60 })),
  );
  expect(raised.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('the approvers are notified of a request, and its requester of the decision; no one else is', async () => {
  const it = await ruled();
  const { owner, editor } = it;
  const analyst = await app.freshPerson(owner, 'analyst');
  const second = await app.freshPerson(owner, 'editor');
  const titlesOf = async ({ call }: typeof owner) =>
    (await call('GET', '/notifications')).data
      .filter(({ is_own }: { is_own: boolean }) => is_own)
      .map(({ title }: { title: string }) => title);
  const rejected = await it.ask(editor, 500);
  const reason = { reason: 'Too much' };
  expect((await owner.call('POST', `/approval/${rejected.data.uuid}/reject`, reason)).status).toBe(200);
  const asked = await it.ask(editor, 500);
  expect((await it.approve(second, asked.data)).status).toBe(200);
  expect(await titlesOf(owner)).toEqual(['Approval requested', 'Approval requested']);
  expect(await titlesOf(second)).toEqual(['Approval requested', 'Approval requested']);
  expect(await titlesOf(editor)).toEqual(['Budget approved', 'Budget rejected']);
  expect(await titlesOf(analyst)).toEqual([]);
});

test('an approved change is made at once, with both names in the change log, and holds', async () => {
  const it = await ruled();
  const { owner, editor, adsetUuid, set } = it;
  const profile = { email: 'a@example.com', first_name: 'Ada', last_name: 'Miller', contact: 'c' };
  await editor.call('PUT', `/users/${editor.userId}`, profile);
  const asked = await it.ask(editor, 500, { note: 'Black Friday' });
  expect(asked).toMatchObject({
    status: 201,
    data: { state: 'open', note: 'Black Friday', before: { daily_budget: 50 }, after: { daily_budget: 500 } },
  });
  const notified = (await owner.call('GET', '/notifications')).data[0] ?? {};
  expect(notified).toMatchObject({ kind: 'approval', title: 'Approval requested' });
  expect(await it.daily()).toBe(50);
  const approved = await it.approve(owner, asked.data);
  expect(approved).toMatchObject({ status: 200, data: { state: 'approved' } });
  expect(await it.daily()).toBe(500);
  const change = await lastChange(owner, adsetUuid);
  expect(change.author).toBe(approvalApiMessages.approvedBy(await nameOf(editor), await nameOf(owner)));
  // The approval is for these budgets: less is no matter, more is.
  expect((await set({ daily_budget_const: 120 })).status).toBe(200);
  expect((await set({ daily_budget_const: 500 })).status).toBe(200);
  expect((await set({ daily_budget_const: 500.01 })).status).toBe(422);
  expect((await it.approve(owner, asked.data)).data).toBe(approvalApiMessages.approvalClosed);
});

test('users cannot approve their own request: not in a second session, and not with another role', async () => {
  const it = await ruled();
  const { owner, editor } = it;
  const { data } = await it.ask(editor, 500);
  await owner.call('PATCH', `/people/${editor.userId}`, { role: 'owner' });
  expect(await it.approve(editor, data)).toMatchObject({
    status: 409,
    data: approvalApiMessages.approvalOwn,
  });
  const reject = await editor.call('POST', `/approval/${data.uuid}/reject`, { reason: 'No' });
  expect(reject.data).toBe(approvalApiMessages.approvalOwn);
  const analyst = await app.freshPerson(owner, 'analyst');
  expect((await it.approve(analyst, data)).status).toBe(403);
  const stranger = await app.freshCompany();
  expect((await it.approve(stranger, data)).status).toBe(404);
  const withdrawn = await owner.call('POST', `/approval/${data.uuid}/withdraw`);
  expect(withdrawn.data).toBe(approvalApiMessages.approvalOfOther);
  expect(await it.daily()).toBe(50);
});

test('only the change that the approver saw is approved: a campaign that was changed meanwhile needs a new request', async () => {
  const it = await ruled();
  const { owner, editor, adsetUuid } = it;
  const { data } = await it.ask(editor, 500);
  const other = { ...data, hash: '0'.repeat(64) };
  expect((await it.approve(owner, other)).data).toBe(approvalApiMessages.approvalOutdated);
  const { data: copy } = await owner.call('POST', `/adset/${adsetUuid}/duplicate`);
  await owner.call('PUT', `/adset/${copy.uuid}`, { status: 'Active' });
  expect(await it.approve(owner, data)).toMatchObject({
    status: 409,
    data: approvalApiMessages.approvalOutdated,
  });
  const [listed] = (await owner.call('GET', '/approval')).data.approvals;
  expect(listed).toMatchObject({ uuid: data.uuid, state: 'outdated' });
  expect(await it.daily()).toBe(50);
  expect((await it.ask(editor, 500)).status).toBe(201);
});

test('a start is approved with its budgets; one of two concurrent approvals succeeds', async () => {
  const it = await ruled();
  const { owner, editor, campaignUuid, set } = it;
  await owner.call('POST', `/campaign/${campaignUuid}/pause`);
  await set({ daily_budget_const: 900 });
  const { data } = await editor.call('POST', '/approval', { campaign_uuid: campaignUuid, start: true });
  const third = await app.freshPerson(owner, 'editor');
  const both = await Promise.all([it.approve(owner, data), it.approve(third, data)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await it.status()).toBe('Active');
  // A pause and another start need none.
  await owner.call('POST', `/campaign/${campaignUuid}/pause`);
  expect((await owner.call('POST', `/campaign/${campaignUuid}/start`)).status).toBe(200);
});

test('a request is rejected with a reason, withdrawn, or ends after seven days', async () => {
  const it = await ruled();
  const { owner, editor } = it;
  const first = (await it.ask(editor, 500)).data;
  expect((await it.ask(owner, 600)).data).toBe(approvalApiMessages.approvalOpen);
  const rejected = await owner.call('POST', `/approval/${first.uuid}/reject`, { reason: 'Too much' });
  expect(rejected.data).toMatchObject({ state: 'rejected', reason: 'Too much' });
  const second = (await it.ask(editor, 400)).data;
  const withdrawn = await editor.call('POST', `/approval/${second.uuid}/withdraw`);
  expect(withdrawn.data.state).toBe('withdrawn');
  expect((await it.approve(owner, second)).data).toBe(approvalApiMessages.approvalClosed);
  const third = (await it.ask(editor, 300)).data;
  await app.ctx.db
    .updateTable('approval_requests')
    .set({ expires_at: new Date(app.ctx.now().getTime() - 1) })
    .where('uuid', '=', third.uuid)
    .execute();
  expect((await owner.call('GET', '/approval')).data.approvals[0].state).toBe('expired');
  expect((await it.approve(owner, third)).data).toBe(approvalApiMessages.approvalClosed);
  expect((await it.ask(editor, 300)).status).toBe(201);
});

test('a request is not approved if its requester may no longer make it', async () => {
  const it = await ruled();
  const { owner, editor } = it;
  const { data } = await it.ask(editor, 500);
  await owner.call('PATCH', `/people/${editor.userId}`, { role: 'analyst' });
  expect((await it.approve(owner, data)).data).toBe(approvalApiMessages.approvalPersonGone);
  await owner.call('DELETE', `/people/${editor.userId}`);
  expect((await it.approve(owner, data)).data).toBe(approvalApiMessages.approvalPersonGone);
  expect(await it.daily()).toBe(50);
});

test('approvals need two people; the limits are the owners’, and are logged and notified', async () => {
  const owner = await app.freshCompany();
  const limits = { daily_budget_above: 0.01, total_budget_above: 1e9 };
  expect(await owner.call('PUT', '/approval/limits', limits)).toMatchObject({
    status: 409,
    data: approvalApiMessages.approvalPeople,
  });
  await app.freshPerson(owner, 'analyst');
  expect((await owner.call('PUT', '/approval/limits', limits)).status).toBe(409);
  const editor = await app.freshPerson(owner, 'editor');
  expect((await editor.call('PUT', '/approval/limits', limits)).status).toBe(403);
  const set = await owner.call('PUT', '/approval/limits', limits);
  expect(set.data).toEqual({ ...limits, people: 2 });
  const change = await lastChange(owner, owner.companyId);
  expect(change.fields.map(({ field }: { field: string }) => field).toSorted()).toEqual(
    Object.keys(limits).toSorted(),
  );
  const none = { daily_budget_above: null, total_budget_above: null };
  expect((await owner.call('PUT', '/approval/limits', none)).data).toMatchObject(none);
  expect((await owner.call('GET', '/notifications')).data[0]).toMatchObject({ kind: 'approval' });
});

test('a change that needs no approval is not asked for, and only of ad sets of the campaign', async () => {
  const it = await ruled();
  expect((await it.ask(it.editor, 100)).data).toBe(approvalApiMessages.approvalNotNeeded);
  const other = await ruled();
  const foreign = {
    campaign_uuid: it.campaignUuid,
    adsets: [{ uuid: other.adsetUuid, daily_budget_const: 500 }],
  };
  expect((await it.editor.call('POST', '/approval', foreign)).status).toBe(422);
  expect((await other.editor.call('POST', '/approval', foreign)).status).toBe(404);
  const twice = [1, 2].map((daily) => ({ uuid: it.adsetUuid, daily_budget_const: daily }));
  const listed = await it.editor.call('POST', '/approval', { campaign_uuid: it.campaignUuid, adsets: twice });
  expect(listed).toMatchObject({ status: 422, errors: [{ message: messages.twiceInList }] });
});
