import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { type MailLimits, type Mailer, createMailer } from './mailer.ts';
import { eventually } from '@bidwell/testing/eventually';

const log = pino({ level: 'silent' });
const mail = { to: 'ann@example.com', subject: 'Hello', text: 'Hello Ann', html: '<p>Hello Ann</p>' };
const about = { kind: 'invitation', id: 'one' } as const;
const limits: MailLimits = { queued: 3, concurrency: 2, tries: 3, tryMs: 60_000, retryMs: 1 };
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function smtpServer(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...options,
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  closers.push(() => server.close());
  return `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

function mailerTo(url: string, more: Partial<MailLimits> = {}): Mailer {
  const mailer = createMailer({ url, from: 'Bidwell <no-reply@bidwell.test>' }, log, { ...limits, ...more });
  closers.push(() => mailer.close());
  return mailer;
}

test('a mail arrives as text and as HTML', async () => {
  const received: string[] = [];
  const url = await smtpServer({
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        received.push(text);
        done();
      });
    },
  });
  const mailer = mailerTo(url);
  expect(mailer.send(mail, about)).toBe(true);
  await eventually(() => expect(mailer.counts()).toMatchObject({ sent: 1, waiting: 0 }));
  expect(received[0]).toMatch(/^From: Bidwell <no-reply@bidwell.test>/m);
  expect(received[0]).toMatch(/^To: ann@example.com/m);
  expect(received[0]).toContain('Hello Ann');
  expect(received[0]).toContain('<p>Hello Ann</p>');
});

test('a server that is busy for now is asked again, one that refuses for good is not', async () => {
  let calls = 0;
  const reject =
    (responseCode: number, text = 'No') =>
    (_stream: unknown, _session: unknown, done: (error?: Error) => void) => {
      calls += 1;
      done(calls < 3 ? Object.assign(new Error(text), { responseCode }) : undefined);
    };
  const busy = mailerTo(await smtpServer({ onRcptTo: (...given) => reject(451)(...given) }));
  busy.send(mail, about);
  await eventually(() => expect(busy.counts()).toMatchObject({ sent: 1, waiting: 0 }));
  expect(calls).toBe(3);
  calls = 0;
  const closed = mailerTo(await smtpServer({ onRcptTo: (...given) => reject(550)(...given) }));
  closed.send(mail, about);
  await eventually(() => expect(closed.counts()).toMatchObject({ failed: 1, waiting: 0 }));
  expect(calls).toBe(1);
  // Of all addresses, until an operator has changed the settings.
  calls = 0;
  const onRcptTo = reject(554, '5.7.1 Relay access denied');
  const relay = mailerTo(await smtpServer({ onRcptTo: (...given) => onRcptTo(...given) }));
  relay.send(mail, about);
  await eventually(() => expect(relay.counts()).toMatchObject({ sent: 1, waiting: 0 }));
  expect(calls).toBe(3);
});

test('a silent server delays nobody: mails fail in time, and those beyond the queue are dropped', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closers.push(() => silent.close());
  const mailer = mailerTo(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, {
    tries: 1,
    tryMs: 300,
  });
  expect(Array.from({ length: 5 }, () => mailer.send(mail, about))).toEqual([true, true, true, false, false]);
  await eventually(() => expect(mailer.counts()).toEqual({ sent: 0, failed: 3, dropped: 2, waiting: 0 }));
});

test('mails that the server sends by itself keep none back that somebody waits for', async () => {
  const held: (() => void)[] = [];
  const url = await smtpServer({
    onRcptTo: ({ address }, _session, done) => (address.startsWith('slow') ? held.push(done) : done()),
  });
  const mailer = mailerTo(url);
  const slow = { ...mail, to: 'slow@example.com' };
  const reports = [mailer.sendOnce(slow), mailer.sendOnce(slow)];
  expect(Array.from({ length: 4 }, () => mailer.send(slow, about, 'bulk'))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  await eventually(() => expect(held).toHaveLength(2));
  expect(mailer.send(mail, about)).toBe(true);
  await eventually(() => expect(mailer.counts()).toMatchObject({ sent: 1, dropped: 1, waiting: 3 }));
  const release = setInterval(() => held.splice(0).forEach((done) => done()), 5);
  await Promise.all(reports);
  await eventually(() => expect(mailer.counts()).toMatchObject({ sent: 6, waiting: 0 }));
  clearInterval(release);
});

test('closing drops the mails that wait, and the log names them without their addresses', async () => {
  const lines: string[] = [];
  const logging = pino({}, { write: (line: string) => void lines.push(line) });
  const settings = { url: 'smtp://127.0.0.1:9', from: 'Bidwell <no-reply@bidwell.test>' };
  const mailer = createMailer(settings, logging, { ...limits, retryMs: 60_000 });
  mailer.send(mail, about);
  mailer.send(mail, { kind: 'invoice', id: 'BW-2026-7' }, 'bulk');
  mailer.close();
  await eventually(() => expect(mailer.counts()).toMatchObject({ sent: 0, waiting: 0 }));
  expect(mailer.send(mail, about)).toBe(false);
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({
      waiting: 2,
      about: [about, { kind: 'invoice', id: 'BW-2026-7' }],
      msg: 'mails that wait are dropped',
    }),
  );
  expect(lines.join()).not.toContain('example.com');
});
