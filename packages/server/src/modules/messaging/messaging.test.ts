import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { beforeEach, expect, test } from 'vitest';
import { transact } from '../../platform/postgres/transaction.ts';
import { insertCompany, insertUser } from '../identity/store.ts';
import { deleteExpiredMessages } from './message-store.ts';
import { type Messenger, createMessenger } from './messenger.ts';
import {
  type MessageKind,
  type NewMessage,
  type Outcome,
  WITHIN_A_DAY,
  mailKind,
  queueMessage,
} from './messages.ts';

const { url, mails, refusals } = await mailServer();
// Messages are sent where a test says so.
const app = await testApp({ SMTP_URL: url, MAIL_FROM: 'no-reply@bidwell.test', LOG_LEVEL: 'silent' });
const quiet = { ...app.ctx, onMessageQueued: () => {} };

beforeEach(async () => {
  app.clock.now = new Date('2026-03-02T12:00:00Z');
  refusals.clear();
  await app.ctx.db.deleteFrom('messages').execute();
});

/** A receiver that records the ids of acknowledged messages; `answer` returns the outcome of each try. */
function receiver(
  lane: MessageKind['lane'],
  answer: (about: string) => Outcome | Promise<Outcome> = () => ({ result: 'sent' }),
) {
  const acknowledged: string[] = [];
  const tried: string[] = [];
  const kind: MessageKind = {
    name: `test of ${lane}`,
    lane,
    retries: WITHIN_A_DAY,
    async send(_ctx, { about }) {
      tried.push(about);
      const outcome = await answer(about);
      if (outcome.result === 'sent') acknowledged.push(about);
      return outcome;
    },
  };
  return { kind, acknowledged, tried };
}

const queue = async (kind: MessageKind, messages: readonly Partial<NewMessage>[]) =>
  transact(app.ctx.db, async (tx) => {
    for (const message of messages)
      await queueMessage(quiet, tx, kind, { about: 'one', host: 'receiver.example', ...message });
  });
const many = (count: number, over: (n: number) => Partial<NewMessage> = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({ about: String(n), host: `h${n % 7}.example`, ...over(n) }));
const waiting = async () =>
  app.ctx.db
    .selectFrom('messages')
    .select(['kind', 'attempts', 'due_at', 'claimed_until', 'content'])
    .execute();
const run = async (messenger: Messenger) => {
  await messenger.tick();
  await messenger.idle();
};
const pass = (ms: number) => (app.clock.now = new Date(app.clock.now.getTime() + ms));

const lanes = ['awaited', 'today_mail', 'today_post', 'bulk'] as const;
/** More than a messenger takes at once. */
const COUNT = 100;
const EACH_ONCE = many(COUNT)
  .map(({ about }) => about)
  .toSorted();

test.each(lanes)('messages of the lane %s, stopped in between, arrive once each', async (lane) => {
  const { kind, acknowledged } = receiver(lane);
  await queue(kind, many(COUNT));
  const first = createMessenger(quiet, [kind]);
  const begun = first.tick();
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(0));
  await first.stop();
  await begun;
  expect(acknowledged.length).toBeLessThan(COUNT);
  // It stays stopped.
  const before = acknowledged.length;
  await first.tick();
  expect(acknowledged).toHaveLength(before);
  await run(createMessenger(quiet, [kind]));
  expect(acknowledged.toSorted()).toEqual(EACH_ONCE);
  expect(await waiting()).toEqual([]);
});

test.each(lanes)('messages of the lane %s, killed in between, arrive once each', async (lane) => {
  let isKilled = false;
  const { kind, acknowledged } = receiver(lane, async () => {
    if (acknowledged.length < 20) return { result: 'sent' };
    isKilled = true;
    return new Promise(() => {});
  });
  await queue(kind, many(COUNT));
  await createMessenger(quiet, [kind]).tick();
  await eventually(() => expect(isKilled).toBe(true));
  const { kind: same, acknowledged: later } = receiver(lane);
  const next = createMessenger(quiet, [same]);
  await run(next);
  // Another process takes over the killed process's messages when its claim ends.
  pass(16 * 60_000);
  await run(next);
  expect([...acknowledged, ...later].toSorted()).toEqual(EACH_ONCE);
  expect(await waiting()).toEqual([]);
});

test('a message that takes long stays with the process that sends it, and goes to another one two minutes after a kill', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const { kind, tried } = receiver('bulk', async (about) => {
    if (about === 'long' && tried.length === 1) await ended;
    return { result: 'sent' };
  });
  await queue(kind, [{ about: 'long', queue: 'one' }]);
  const [first, other] = [createMessenger(quiet, [kind]), createMessenger(quiet, [kind])];
  await first.tick();
  await eventually(() => expect(tried).toEqual(['long']));
  for (let minutes = 0; minutes < 20; minutes += 1) {
    pass(60_000);
    await first.tick();
    await run(other);
  }
  expect(tried).toEqual(['long']);
  // It is killed: nothing renews its claim.
  pass(2 * 60_000 + 1);
  await run(other);
  expect(tried).toEqual(['long', 'long']);
  end();
  await first.idle();
});

test('the next report of a company leaves two minutes after the process that sent one was killed', async () => {
  const { companyId } = await app.freshCompany();
  const hung = receiver('bulk', async () => new Promise<never>(() => {}));
  await queue(hung.kind, [{ about: 'first', companyId }]);
  await createMessenger(quiet, [hung.kind]).tick();
  await eventually(() => expect(hung.tried).toEqual(['first']));
  const { kind, acknowledged } = receiver('bulk');
  await queue(kind, [{ about: 'second', companyId }]);
  const next = createMessenger(quiet, [kind]);
  await run(next);
  expect(acknowledged).toEqual([]);
  pass(2 * 60_000);
  await run(next);
  expect(acknowledged.toSorted()).toEqual(['first', 'second']);
});

test("a killed process delays a host's messages by 20 seconds, and messages of other companies not at all", async () => {
  const [killed, other] = [await app.freshCompany(), await app.freshCompany()];
  const hung = receiver('today_post', async () => new Promise<never>(() => {}));
  await queue(
    hung.kind,
    many(20, () => ({ companyId: killed.companyId, host: 'shared.example' })),
  );
  await createMessenger(quiet, [hung.kind]).tick();
  await eventually(() => expect(hung.tried.length).toBeGreaterThan(0));
  const { kind, acknowledged } = receiver('today_post');
  await queue(kind, [{ about: 'other', companyId: other.companyId, host: 'shared.example' }]);
  const next = createMessenger(quiet, [kind]);
  await run(next);
  expect(acknowledged).toEqual(['other']);
  pass(20_000);
  await run(next);
  expect(acknowledged).toHaveLength(21);
});

test('ten receivers of one company that fall silent after a failure leave places for further tries to other companies', async () => {
  const [slow, other] = [await app.freshCompany(), await app.freshCompany()];
  let isSilent = false;
  const { kind, tried, acknowledged } = receiver('today_post', (about) => {
    if (!isSilent) return { result: 'failed', reason: 'no', isFinal: false };
    return about.startsWith('silent') ? new Promise(() => {}) : { result: 'sent' };
  });
  await queue(
    kind,
    many(10, (n) => ({ about: `silent ${n}`, companyId: slow.companyId, queue: `silent ${n}` })),
  );
  await queue(kind, [{ about: 'other', companyId: other.companyId }]);
  const messenger = createMessenger(quiet, [kind]);
  await run(messenger);
  expect(tried).toHaveLength(11);
  isSilent = true;
  // The silent ones are due first.
  await app.ctx.db
    .updateTable('messages')
    .set({ due_at: app.clock.now })
    .where('company_uuid', '=', slow.companyId)
    .execute();
  await messenger.tick();
  pass(10 * 60_000);
  await messenger.tick();
  await eventually(() => expect(acknowledged).toEqual(['other']));
});

test('the link of a person does not wait for the mail to them that is being sent', async () => {
  const { userId } = await app.freshCompany();
  const { kind, tried } = receiver('awaited', async () => new Promise(() => {}));
  const messenger = createMessenger(quiet, [kind]);
  await queue(kind, [{ about: 'confirmation', userId }]);
  await messenger.tick();
  await queue(kind, [{ about: 'link', userId }]);
  await messenger.tick();
  await eventually(() => expect(tried).toEqual(['confirmation', 'link']));
});

test('two processes send each message once', async () => {
  const { kind, acknowledged } = receiver('today_post', async () => {
    await new Promise((later) => setImmediate(later));
    return { result: 'sent' };
  });
  await queue(
    kind,
    many(COUNT, (n) => ({ queue: `queue ${n % 20}` })),
  );
  const [one, other] = [createMessenger(quiet, [kind]), createMessenger(quiet, [kind])];
  await Promise.all([run(one), run(other)]);
  await run(one);
  expect(acknowledged.toSorted()).toEqual(EACH_ONCE);
  const sent = [one, other].map(({ counts }) => counts().get(kind.name)!.sent);
  expect(sent[0]! + sent[1]!).toBe(COUNT);
});

test('a silent receiver of one company delays no other company and no other lane, and is sent to one at a time', async () => {
  const [slow, other] = [await app.freshCompany(), await app.freshCompany()];
  const hung: (() => void)[] = [];
  const answer = (about: string): Outcome | Promise<Outcome> =>
    about.startsWith('silent')
      ? new Promise((done) => hung.push(() => done({ result: 'failed', reason: 'silence', isFinal: false })))
      : { result: 'sent' };
  const [posts, awaited] = [receiver('today_post', answer), receiver('awaited', answer)];
  const silent = (n: number) => ({
    about: `silent ${n}`,
    companyId: slow.companyId,
    queue: `channel ${n % 30}`,
    host: 'silent.example',
  });
  await queue(posts.kind, many(200, silent));
  await queue(
    awaited.kind,
    many(50, (n) => ({ ...silent(n), queue: `mail ${n}` })),
  );
  const messenger = createMessenger(quiet, [posts.kind, awaited.kind]);
  await messenger.tick();
  await queue(
    posts.kind,
    many(30, (n) => ({ about: `post ${n}`, companyId: other.companyId, queue: `other ${n}` })),
  );
  await queue(
    awaited.kind,
    many(30, (n) => ({ about: `mail ${n}`, companyId: other.companyId })),
  );
  await messenger.tick();
  await eventually(() => expect([posts.acknowledged.length, awaited.acknowledged.length]).toEqual([30, 30]));
  expect(posts.tried.filter((about) => about.startsWith('silent'))).toHaveLength(6);
  expect(awaited.tried.filter((about) => about.startsWith('silent'))).toHaveLength(2);
  const end = setInterval(() => hung.splice(0).forEach((done) => done()), 5);
  await messenger.idle();
  clearInterval(end);
  // Each was tried once and waits.
  expect(new Set(posts.tried).size).toBe(posts.tried.length);
});

test('a receiver that failed takes no place of others until it has acknowledged the waiting messages', async () => {
  const { kind, tried } = receiver('bulk', (about) =>
    about.startsWith('bad') ? { result: 'failed', reason: 'no', isFinal: false } : new Promise(() => {}),
  );
  await queue(kind, [{ about: 'bad', queue: 'dead' }]);
  const messenger = createMessenger(quiet, [kind]);
  await run(messenger);
  await queue(kind, [
    ...many(9, () => ({ about: 'bad more', queue: 'dead' })),
    ...many(9, (n) => ({ about: `good ${n}`, queue: `good ${n}` })),
  ]);
  await messenger.tick();
  await eventually(() => expect(tried.filter((about) => about.startsWith('good'))).toHaveLength(4));
});

/** A kind of mails with a link. */
const links = mailKind<{ token: string }>({
  name: 'link',
  lane: 'awaited',
  compose: async (_ctx, { token }) =>
    token === 'used' ? null : { subject: 'A link', text: `https://a.example/#${token}`, html: '<p></p>' },
});
const queueLink = async (to: string, more: Partial<NewMessage> & { token?: string } = {}) => {
  const { token = 'secrettoken', ...message } = more;
  await transact(app.ctx.db, async (tx) =>
    links.queue(quiet, tx, { about: 'person', ...message, to, content: { token } }),
  );
};
const mailsTo = (to: string) => mails.filter((mail) => mail.to === to).map(({ text }) => text);
const idOf = (mail: string | undefined) => /^Message-ID: (\S+)/im.exec(mail ?? '')?.[1];

test('a mail server that is busy for now is asked again with growing delays, one that refuses for good is not', async () => {
  const messenger = createMessenger(quiet, [links]);
  await queueLink('busy@example.com');
  refusals.set('busy@example.com', 451);
  const delays: number[] = [];
  for (;;) {
    await run(messenger);
    const [message] = await waiting();
    if (!message) break;
    delays.push(message.due_at.getTime() - app.clock.now.getTime());
    app.clock.now = message.due_at;
  }
  expect(delays).toHaveLength(15);
  expect(delays[0]).toBeGreaterThanOrEqual(7500);
  expect(delays[0]).toBeLessThanOrEqual(15_000);
  expect(delays.at(-1)).toBeGreaterThanOrEqual(150_000);
  expect(messenger.counts().get('link')).toEqual({ sent: 0, refused: 15, failed: 1 });

  await queueLink('gone@example.com');
  refusals.set('gone@example.com', 550);
  await run(messenger);
  expect(await waiting()).toEqual([]);
  expect([mailsTo('busy@example.com'), mailsTo('gone@example.com')]).toEqual([[], []]);
});

test('a mail has the same id in each try, and its content is sealed while it waits and gone afterwards', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const messenger = createMessenger({ ...quiet, log }, [links]);
  await queueLink('ann@example.com');
  const [before] = await waiting();
  expect(before!.content).toMatch(/^enc:1:/);
  expect(JSON.stringify(before)).not.toMatch(/secrettoken|ann@/);
  // It acknowledged, and the process was killed before it was stored.
  await createMessenger({ ...quiet, db: withoutTransactions() }, [links]).tick();
  await eventually(() => expect(mailsTo('ann@example.com')).toHaveLength(1));
  pass(61_000);
  refusals.set('ann@example.com', 451);
  await run(messenger);
  refusals.clear();
  pass(3_600_000);
  await run(messenger);
  const [first, second] = mailsTo('ann@example.com');
  expect(idOf(first)).toMatch(/@bidwell\.test>$/);
  expect(idOf(second)).toBe(idOf(first));
  expect(await waiting()).toEqual([]);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      message: { kind: 'link', about: 'person' },
      reason: 'the reply 451 to RCPT TO',
      msg: 'a message was not sent, and is tried again',
    }),
  ]);
  expect(lines.join()).not.toMatch(/example\.com|secrettoken/);
});

/** The database, without storing the outcomes of messages. */
function withoutTransactions(): typeof app.ctx.db {
  return new Proxy(app.ctx.db, {
    get(db, name) {
      if (name === 'transaction') throw new Error('killed');
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === 'function' ? (value.bind(db) as unknown) : value;
    },
  });
}

test('a message that is of no use any more, comes too late or was rolled back is not sent', async () => {
  const messenger = createMessenger(quiet, [links]);
  await queueLink('used@example.com', { token: 'used' });
  await queueLink('late@example.com', { expiresAt: new Date(app.clock.now.getTime() + 1000) });
  pass(1000);
  const undone = transact(app.ctx.db, async (tx) => {
    await links.queue(quiet, tx, { about: 'x', to: 'undone@example.com', content: { token: 'x' } });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await run(messenger);
  expect(await waiting()).toEqual([]);
  expect(mails.filter(({ to }) => /^(used|late|undone)@/.test(to))).toEqual([]);
  // Where no process sends mails, their contents do not stay either.
  await queueLink('nobody@example.com', { expiresAt: new Date(app.clock.now.getTime() + 1000) });
  pass(1000);
  await deleteExpiredMessages(app.ctx.db, app.clock.now);
  expect(await waiting()).toEqual([]);
});

test('messages that wait for a company or a person end with them', async () => {
  const { db } = app.ctx;
  const [companyId, userId] = [uuidv7(), uuidv7()];
  const at = app.clock.now;
  await insertCompany(db, { uuid: companyId, name: 'Gone', postback_secret: companyId, created_at: at });
  const person = {
    login: 'soon.gone',
    first_name: 'A',
    last_name: 'B',
    email: 'gone@example.com',
    contact: 'c',
  };
  await insertUser(db, companyId, {
    uuid: userId,
    ...person,
    password_hash: '',
    avatar_file_uuid: null,
    created_at: at,
    updated_at: at,
  });
  await queueLink('a@example.com', { userId });
  await queueLink('b@example.com', { companyId });
  await db.deleteFrom('users').where('uuid', '=', userId).execute();
  expect(await waiting()).toHaveLength(1);
  await db.deleteFrom('companies').where('uuid', '=', companyId).execute();
  expect(await waiting()).toEqual([]);
});
