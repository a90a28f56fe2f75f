import type { Notification } from '@bidwell/contract/notifications/schema';
import { COMMENTS_MAX, COMMENTS_PER_MINUTE, type Comment } from '@bidwell/contract/comments/schema';
import { campaignApiMessages } from '@bidwell/contract/campaigns/api-messages';
import { commentApiMessages } from '@bidwell/contract/comments/api-messages';
import { makeAdsetParts } from '@bidwell/testing/advertising';
import { confirmMail } from '@bidwell/testing/people';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { alertMails, queueAlertMails } from '../../messaging/alerts/mail-alerts.ts';
import { planAlerts } from '../../messaging/alerts/plan-alerts.ts';
import { createMessenger } from '../../messaging/messenger.ts';
import { insertComment } from './service.ts';

const { url, mails } = await mailServer();
// Mails are sent where a test says so.
const app = await testApp(
  { MODERATION: 'auto', SMTP_URL: url, PUBLIC_URL: 'https://bidwell.test', LOG_LEVEL: 'silent' },
  undefined,
  { alertsEveryMs: 3_600_000 },
);

const draftOf = async (company: TestCompany, name = 'Autumn'): Promise<string> =>
  (await company.call('POST', '/campaign_draft', { values: { name } })).data.uuid;
const add = async (person: TestCompany, draft: string, text: string, mentions: string[] = []) =>
  person.call('POST', `/campaign_draft/${draft}/comment`, { text, mentions });
const read = async (person: TestCompany, path: string): Promise<Comment[]> =>
  (await person.call('GET', `${path}/comment`)).data.comments;
const noticesOf = async (person: TestCompany): Promise<Notification[]> =>
  (await person.call('GET', '/notifications')).data.filter(
    ({ kind }: { kind: string }) => kind === 'comment',
  );

test('people comment on a draft in turn, analysts too, and those who are mentioned or took part are notified', async () => {
  const company = await app.freshCompany();
  const analyst = await app.freshPerson(company, 'analyst');
  const draft = await draftOf(company);
  expect((await add(company, draft, ' Is $50 a day enough? ', [analyst.userId])).status).toBe(201);
  expect((await add(analyst, draft, 'No.\n<b>Twice</b> that.')).status).toBe(201);
  expect(await read(company, `/campaign_draft/${draft}`)).toMatchObject([
    {
      text: 'Is $50 a day enough?',
      author: { uuid: company.userId, name: 'Test Er' },
      mentions: [{ uuid: analyst.userId, name: 'Test Er' }],
      edited_at: null,
      changeable_until: expect.any(String),
    },
    { text: 'No.\n<b>Twice</b> that.', author: { uuid: analyst.userId }, changeable_until: null },
  ]);
  expect(await noticesOf(analyst)).toMatchObject([
    { title: 'You are mentioned', text: 'Test Er mentions you in a comment on “Autumn”.', severity: 'info' },
  ]);
  // The user who began the draft is notified of the answer, and no one else is.
  expect(await noticesOf(company)).toMatchObject([
    { title: 'New comment', text: 'Test Er commented on “Autumn”.', is_own: true },
  ]);
  expect(await noticesOf(await app.freshPerson(company, 'editor'))).toEqual([]);
});

test('only people of the company who may read campaigns are mentioned; oneself is not notified', async () => {
  const company = await app.freshCompany();
  const finance = await app.freshPerson(company, 'finance');
  const stranger = await app.freshCompany();
  const draft = await draftOf(company);
  for (const { userId } of [finance, stranger])
    expect(await add(company, draft, 'Look', [userId])).toMatchObject({
      status: 422,
      errors: [{ field: 'mentions', message: campaignApiMessages.mentionUnknown }],
    });
  expect((await add(company, draft, 'Look', [company.userId])).status).toBe(201);
  expect(await noticesOf(company)).toEqual([]);
});

test('participants are notified of an answer by mail, at the times that they chose, and once of several in ten minutes', async () => {
  app.clock.now = new Date('2026-03-02T12:00:00Z');
  const company = await app.freshCompany();
  const [editor, silent, left, outsider] = [
    await app.freshPerson(company, 'editor'),
    await app.freshPerson(company, 'editor'),
    await app.freshPerson(company, 'editor'),
    await app.freshPerson(company, 'analyst'),
  ];
  const draft = await draftOf(company);
  const people = { Olga: company, Ed: editor, Sid: silent, Leo: left, Out: outsider };
  for (const [first_name, person] of Object.entries(people)) {
    const profile = { email: `${first_name}@comments.test`, first_name, last_name: 'X', contact: 'c' };
    await person.call('PUT', `/users/${person.userId}`, profile);
    await confirmMail(app.ctx, person.userId);
  }
  const off = { kinds: ['balance'], frequency: 'off', daily_hour: 9, time_zone: 'UTC' };
  await silent.call('PUT', '/alerts/preferences', { ...off, quiet_from: null, quiet_until: null });
  for (const person of [editor, silent, left]) await add(person, draft, 'I am here.');
  await company.call('DELETE', `/people/${left.userId}`);
  app.clock.now = new Date('2026-03-02T12:11:00Z');
  for (const text of ['One.', 'Two.']) expect((await add(company, draft, text)).status).toBe(201);
  expect((await noticesOf(editor)).map(({ text }) => text)).toEqual([
    'Olga X commented on “Autumn”.',
    expect.stringContaining('commented on'),
    expect.stringContaining('commented on'),
  ]);
  expect(await noticesOf(outsider)).toEqual([]);
  await planAlerts(app.ctx);
  await queueAlertMails(app.ctx);
  const messenger = createMessenger(app.ctx, [alertMails]);
  await messenger.tick();
  await messenger.idle();
  const to = (name: string) =>
    mails
      .filter((mail) => mail.to === `${name}@comments.test` && !mail.text.includes('confirm-address#'))
      .map(({ text }) => text);
  expect(to('Ed')).toHaveLength(1);
  expect(to('Ed')[0]).toContain('Olga X commented on');
  expect(to('Ed')[0]).toContain('https://bidwell.test/campaigns/drafts\r\n');
  expect([...to('Sid'), ...to('Leo'), ...to('Out')]).toEqual([]);
  // She began the draft.
  expect(to('Olga')).toHaveLength(1);
});

test('comments of a user whose account is deleted stay, without a name', async () => {
  const company = await app.freshCompany();
  const analyst = await app.freshPerson(company, 'analyst');
  const draft = await draftOf(company);
  await add(company, draft, 'Who?', [analyst.userId]);
  await add(analyst, draft, 'I.');
  await app.ctx.db.deleteFrom('refresh_tokens').where('user_uuid', '=', analyst.userId).execute();
  await app.ctx.db.deleteFrom('users').where('uuid', '=', analyst.userId).execute();
  expect(await read(company, `/campaign_draft/${draft}`)).toMatchObject([
    { text: 'Who?', mentions: [{ uuid: analyst.userId, name: commentApiMessages.formerPerson }] },
    { text: 'I.', author: { uuid: null, name: commentApiMessages.formerPerson } },
  ]);
});

test('a campaign takes over the comments of the draft that it is created from', async () => {
  const company = await app.freshCompany();
  const { appUuid } = await makeAdsetParts(app, company);
  const draft = await draftOf(company);
  await add(company, draft, 'Ready?');
  const input = { name: 'Autumn', app_uuid: appUuid, draft: { uuid: draft, version: 1 } };
  const { data: campaign } = await company.call('POST', '/campaign', input);
  const path = `/campaign/${campaign.uuid}`;
  await company.call('POST', `${path}/comment`, { text: 'It runs.' });
  expect((await read(company, path)).map(({ text }) => text)).toEqual(['Ready?', 'It runs.']);
});

test('one changes and deletes one’s own comments, for fifteen minutes', async () => {
  const company = await app.freshCompany();
  const colleague = await app.freshPerson(company, 'owner');
  const draft = await draftOf(company);
  const { data: first } = await add(company, draft, 'Frist');
  const { data: second } = await add(company, draft, 'Second');
  const put = (person: TestCompany, text: string) => person.call('PUT', `/comment/${first.uuid}`, { text });
  const remove = (person: TestCompany, uuid: string) => person.call('DELETE', `/comment/${uuid}`);
  expect((await put(company, 'First')).data).toMatchObject({ text: 'First', edited_at: expect.any(String) });
  for (const refused of [await put(colleague, 'Mine'), await remove(colleague, first.uuid)])
    expect(refused).toMatchObject({ status: 409, data: commentApiMessages.commentOfOther });
  expect((await remove(company, second.uuid)).status).toBe(200);
  await app.ctx.db
    .updateTable('comments')
    .set({ created_at: new Date(app.clock.now.getTime() - 15 * 60_000) })
    .where('uuid', '=', first.uuid)
    .execute();
  for (const refused of [await put(company, 'Late'), await remove(company, first.uuid)])
    expect(refused).toMatchObject({ status: 409, data: commentApiMessages.commentLate(15) });
  expect(await read(company, `/campaign_draft/${draft}`)).toMatchObject([
    { text: 'First', changeable_until: null },
  ]);
});

test('comments are bounded in length, number and rate', async () => {
  const company = await app.freshCompany();
  const draft = await draftOf(company);
  expect((await add(company, draft, 'x'.repeat(2001))).status).toBe(422);
  expect((await add(company, draft, ' ')).status).toBe(422);
  const on = { kind: 'draft', uuid: draft } as const;
  for (let n = 1; n < COMMENTS_MAX; n += 1)
    await insertComment(app.ctx.db, company.companyId, on, {
      uuid: uuidv7(),
      author_uuid: company.userId,
      text: 'x'.repeat(2000),
      mentions: [],
      created_at: app.clock.now,
    });
  const last = await Promise.all(['one', 'two'].map((text) => add(company, draft, text)));
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(last.find(({ status }) => status === 409)!.data).toBe(commentApiMessages.commentsMax(COMMENTS_MAX));
  expect(await read(company, `/campaign_draft/${draft}`)).toHaveLength(COMMENTS_MAX);
  // Another draft has room, and the person is over the rate in the end.
  const other = await draftOf(company);
  const statuses: number[] = [];
  for (let n = 0; n < COMMENTS_PER_MINUTE; n += 1) statuses.push((await add(company, other, 'x')).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([201, 429]);
});
