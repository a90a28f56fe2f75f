import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { type CaughtMail, fileOf, listPage, mailPage } from './pages.ts';

/** Mails that are shown; older ones are dropped. */
const MAILS_MAX = 200;
/** The largest mail, with its files, in bytes. */
const MAIL_BYTES_MAX = 5_000_000;
const HOST = '127.0.0.1';
/** Mails are HTML of people of the demo: no script, no address but this page's own. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Catches the mails of the demo's server in place of a mail server, and shows them. Nothing is sent to anyone. */
export interface Outbox {
  /** Where the server sends its mails: an address of SMTP. */
  smtpUrl: string;
  /** The page that lists the mails. */
  url: string;
  close(): Promise<void>;
}

/**
 * Opens an outbox on this machine's loopback addresses, whose page is at `port`, or at a free one if that is taken. It has the latest
 * 200 mails since its start.
 */
export async function openOutbox(port: number): Promise<Outbox> {
  const mails: CaughtMail[] = [];
  let count = 0;
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    size: MAIL_BYTES_MAX,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAIL_BYTES_MAX) chunks.push(chunk);
      });
      stream.on('end', () => {
        if (bytes > MAIL_BYTES_MAX) return done(new Error('The mail is too large'));
        const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.unshift({ id: (count += 1), at: new Date(), to, mail });
          mails.splice(MAILS_MAX);
          done();
        }, done);
      });
    },
  });
  const smtpAt = smtp.listen(0, HOST);
  await once(smtpAt, 'listening');
  const pages = createServer((request, response) => {
    const { status = 200, type = 'text/html; charset=utf-8', body, name } = pageAt(request.url ?? '/', mails);
    response.writeHead(status, {
      ...HEADERS,
      'content-type': type,
      ...(name && { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await listen(pages, port);
  return {
    smtpUrl: `smtp://${HOST}:${(smtpAt.address() as AddressInfo).port}`,
    url: `http://localhost:${(pages.address() as AddressInfo).port}`,
    async close() {
      pages.closeAllConnections();
      pages.close();
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}

interface Response {
  status?: number;
  type?: string;
  body: string | Uint8Array;
  /** Name of the downloaded file. */
  name?: string;
}

function pageAt(address: string, mails: readonly CaughtMail[]): Response {
  if (address === '/') return { body: listPage(mails, MAILS_MAX) };
  const [, id, file] = /^\/mails\/(\d+)(?:\/files\/(\d+))?$/.exec(address) ?? [];
  const found = mails.find((mail) => String(mail.id) === id);
  if (found && file === undefined) return { body: mailPage(found) };
  const attachment = found && fileOf(found, Number(file));
  if (attachment) return { type: 'application/octet-stream', ...attachment };
  return { status: 404, type: 'text/plain; charset=utf-8', body: 'There is no such mail any more.' };
}

/** Listens at a port, or at a free one where another program has it. */
async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    server.listen(0, HOST);
    await once(server, 'listening');
  }
}
