import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { type MailLimits, type Mailer, createMailer } from './mailer.ts';
import { eventually } from '@bidwell/testing/eventually';

const mail = { to: 'ann@example.com', subject: 'Hello', text: 'Hello Ann', html: '<p>Hello Ann</p>' };
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

function mailerTo(url: string, limits: Partial<MailLimits> = {}): Mailer {
  const mailer = createMailer({ url, from: 'Bidwell <no-reply@bidwell.test>' }, limits);
  closers.push(() => mailer.close());
  return mailer;
}

test('a mail arrives as text and as HTML, with the same id in each try', async () => {
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
  for (let count = 0; count < 2; count += 1) await mailer.sendOnce({ ...mail, id: 'one' });
  expect(received).toHaveLength(2);
  for (const text of received) {
    expect(text).toMatch(/^From: Bidwell <no-reply@bidwell.test>/m);
    expect(text).toMatch(/^To: ann@example.com/m);
    expect(text).toMatch(/^Message-ID: <one@bidwell.test>/m);
    expect(text).toContain('Hello Ann');
    expect(text).toContain('<p>Hello Ann</p>');
  }
});

test('a silent server delays no one for long, and a stop aborts the mail being sent', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closers.push(() => silent.close());
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await expect(mailerTo(url, { tryMs: 300 }).sendOnce(mail)).rejects.toThrow();
  const mailer = mailerTo(url);
  const sending = mailer.sendOnce(mail);
  mailer.close();
  await expect(sending).rejects.toThrow();
});

test('mails of one lane that take long delay no mails of another lane', async () => {
  const held: (() => void)[] = [];
  const url = await smtpServer({
    onRcptTo: ({ address }, _session, done) => (address.startsWith('slow') ? held.push(done) : done()),
  });
  const mailer = mailerTo(url, { connections: 2 });
  const slow = { ...mail, to: 'slow@example.com' };
  const reports = [1, 2, 3].map(async () => mailer.sendOnce(slow, undefined, 'bulk'));
  await eventually(() => expect(held).toHaveLength(2));
  await mailer.sendOnce(mail, undefined, 'awaited');
  const release = setInterval(() => held.splice(0).forEach((done) => done()), 5);
  await Promise.all(reports);
  clearInterval(release);
});
