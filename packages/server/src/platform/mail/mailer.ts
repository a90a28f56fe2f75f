import { createTransport } from 'nodemailer';
import pLimit from 'p-limit';
import { abortAfter, untilAborted } from '../concurrency/time-limits.ts';

/** A message to one person. */
export interface Mail {
  /** The same in each try: from it comes the header `Message-ID`, by which mailboxes recognise a repetition. */
  id?: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Further headers, without line breaks. */
  headers?: Record<string, string>;
  attachments?: MailAttachment[];
}

/** A file of a mail. */
export interface MailAttachment {
  filename: string;
  content: Buffer | string;
  contentType: string;
  /** The HTML refers to it by `cid:` and this. */
  cid?: string;
}

/** Each lane has its own connections: mails that the mail server accepts slowly delay no other lane. */
export type MailLane = 'awaited' | 'today_mail' | 'bulk';

/** The connection to the mail server. The module `messaging` queues and retries mails. */
export interface Mailer {
  /** Sends a mail in one try. Throws an Error of the mail server. `signal` breaks it off: the mail server may then have the mail. */
  sendOnce(mail: Mail, signal?: AbortSignal, lane?: MailLane): Promise<void>;
  /** Aborts the mails being sent. */
  close(): void;
}

/** The mail server, and the sender of mails. */
export interface MailSettings {
  /** smtp:// or smtps://, with the user and the password if the server needs them. */
  url: string;
  from: string;
}

/** Changes a mail just before it is sent: its sender and its look. Must not reject. */
export type DressMail = (mail: Mail) => Promise<Mail & { from?: { name: string; address: string } }>;

/** Limits; tests have shorter ones. */
export interface MailLimits {
  /** Connections of each lane to the mail server at once. */
  connections: number;
  /** Time for one try, from the connection to the server's last response. */
  tryMs: number;
}

/** As many as any lane of mails has places. */
const defaults: MailLimits = { connections: 8, tryMs: 20_000 };

/** Opens the way to an SMTP server. Connects only when there is a mail. */
export function createMailer(
  { url, from }: MailSettings,
  { dress = async (mail) => mail, ...given }: Partial<MailLimits> & { dress?: DressMail } = {},
): Mailer {
  const { connections, tryMs } = { ...defaults, ...given };
  const transport = createTransport(
    { url, connectionTimeout: tryMs, greetingTimeout: tryMs, socketTimeout: tryMs },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  const lanes = { awaited: pLimit(connections), today_mail: pLimit(connections), bulk: pLimit(connections) };
  const [host = ''] = from.slice(from.lastIndexOf('@') + 1).split('>', 1);
  const stop = new AbortController();
  return {
    async sendOnce({ id, ...mail }, brokenOff, lane = 'bulk') {
      await lanes[lane](async () => {
        const dressed = await dress(mail);
        const signals = [stop.signal, ...(brokenOff ? [brokenOff] : [])];
        await abortAfter(tryMs, signals, async (signal) => {
          signal.throwIfAborted();
          const messageId = id === undefined ? undefined : `<${id}@${host.trim()}>`;
          await untilAborted(transport.sendMail({ ...dressed, messageId, signal }), signal);
        });
      });
    },
    close() {
      stop.abort();
      transport.close();
    },
  };
}

/**
 * Whether the server refused this mail or its address for good, with a reply of 500 or more to `RCPT TO` or `DATA` (RFC 5321): another
 * try is in vain. A login or a sender that it does not accept, or mail that it does not relay (a status of security or policy, 5.7, RFC 3463),
 * concerns all mails, and lasts until operators change the settings. Pure.
 */
export function isPermanentRefusal(error: unknown): boolean {
  const { responseCode = 0, command = '', response = '' } = error as Partial<SMTPError>;
  return (
    responseCode >= 500 &&
    (command === 'RCPT TO' || command === 'DATA') &&
    !/^5\d\d[ -]5\.7\.\d/.test(response)
  );
}

/** Nodemailer's data on a reply of the mail server. */
interface SMTPError extends Error {
  responseCode: number;
  /** The command that it replied to. */
  command: string;
  /** The reply. */
  response: string;
}
