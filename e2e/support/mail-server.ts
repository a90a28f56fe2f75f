import { expect } from '@playwright/test';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type Company, freshCompany } from './company.ts';
import type { Server } from './server.ts';

/** An SMTP server on this machine, and the texts of the mails that it received. */
export interface MailServer {
  url: string;
  mails: string[];
  close(): void;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString().replaceAll('=\r\n', ''));
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, close: () => server.close() };
}

/** The link that confirms the address of a new account, from the only mail so far, which is deleted. */
export async function confirmationLink({ mails }: MailServer): Promise<string> {
  await expect.poll(() => mails.length).toBe(1);
  return /http:\/\/localhost:\d+\/confirm-address#[\w-]+/.exec(mails.pop()!)![0];
}

/** A company whose first person has confirmed their address, and no mail yet. */
export async function confirmedCompany(server: Server, mail: MailServer): Promise<Company> {
  const company = await freshCompany(server);
  const token = new URL(await confirmationLink(mail)).hash.slice(1);
  const response = await fetch(`${server.url}/api/internal/email-confirmation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(response.status).toBe(200);
  return company;
}
