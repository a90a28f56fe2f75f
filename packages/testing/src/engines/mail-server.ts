import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll } from 'vitest';

/** A mail as it arrived. */
export interface ReceivedMail {
  to: string;
  text: string;
}

/**
 * An SMTP server on this machine, closed after the file's tests, and the mails that it received. `refusals` has the replies with
 * which it refuses addresses.
 */
export async function mailServer(): Promise<{
  url: string;
  mails: ReceivedMail[];
  refusals: Map<string, number>;
}> {
  const mails: ReceivedMail[] = [];
  const refusals = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const responseCode = refusals.get(address);
      done(responseCode === undefined ? undefined : Object.assign(new Error('Refused'), { responseCode }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        // Long lines are folded by a '=' at their end (quoted-printable).
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), text });
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  afterAll(() => {
    server.close();
  });
  return { url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, mails, refusals };
}
