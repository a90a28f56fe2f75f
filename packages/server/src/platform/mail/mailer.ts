import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { abortAfter } from '../concurrency/abort-after.ts';
import { backoffMs } from '../concurrency/backoff.ts';

/** A message to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Further headers, without line breaks. */
  headers?: Record<string, string>;
  attachments?: MailAttachment[];
}

/** What a mail is about, as logs name it: neither its address nor its text, which may hold a secret. */
export interface MailAbout {
  kind: 'confirmation' | 'invitation' | 'password' | 'account' | 'invoice';
  /** Of the invitation or the person; the number of an invoice. */
  id: string;
}

/** A file of a mail. */
export interface MailAttachment {
  filename: string;
  content: Buffer | string;
  contentType: string;
  /** By which the HTML shows it: `cid:` and this. */
  cid?: string;
}

/**
 * Whether somebody waits for a mail, such as the link for a new password, or it is one of many that the server sends by itself. Each
 * lane has its own connections and its own queue, so that invoices of a month, and addresses for which the mail server takes
 * long, keep nobody from logging in.
 */
type MailLane = 'awaited' | 'bulk';

/** Sends mails in the background: nobody waits for the mail server. */
export interface Mailer {
  /**
   * Queues a mail, by default one that somebody waits for. False if the queue of its lane is full, and the mail is dropped. A mail that
   * still waits when the process stops is dropped too, and the log names it.
   */
  send(mail: Mail, about: MailAbout, lane?: MailLane): boolean;
  /**
   * Sends a mail that the caller keeps until it is sent: one try in the lane of mails that nobody waits for. Throws an Error of the mail
   * server. `signal` breaks it off: the mail server may then have the mail.
   */
  sendOnce(mail: Mail, signal?: AbortSignal): Promise<void>;
  /** Mails since the start, by what became of them. */
  counts(): Readonly<{ sent: number; failed: number; dropped: number; waiting: number }>;
  /** Stops; mails that still wait are dropped, and named in the log. */
  close(): void;
}

/** Where mails go and whom they are from. */
export interface MailSettings {
  /** smtp:// or smtps://, with the user and the password if the server needs them. */
  url: string;
  from: string;
}

/** What a mail is changed to just before it is sent: whom it is from, and how it looks. Must not reject. */
export type DressMail = (mail: Mail) => Promise<Mail & { from?: { name: string; address: string } }>;

/** Limits of each lane; tests have shorter ones. */
export interface MailLimits {
  /** Mails that wait or are being sent. */
  queued: number;
  /** Connections to the mail server at once. */
  concurrency: number;
  tries: number;
  /** Time for one try, from the connection to the server's last response. */
  tryMs: number;
  /** Delay before the second try; doubled for each further one. */
  retryMs: number;
}

const defaults: MailLimits = { queued: 500, concurrency: 2, tries: 4, tryMs: 20_000, retryMs: 15_000 };
const RETRY_MS_MAX = 5 * 60_000;

/** Opens the queue of mails to an SMTP server. Connects only when there is a mail. */
export function createMailer(
  { url, from }: MailSettings,
  log: Logger,
  { dress = async (mail) => mail, ...given }: Partial<MailLimits> & { dress?: DressMail } = {},
): Mailer {
  const { queued, concurrency, tries, tryMs, retryMs } = { ...defaults, ...given };
  const transport = createTransport(
    { url, connectionTimeout: tryMs, greetingTimeout: tryMs, socketTimeout: tryMs },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  const lanes = {
    awaited: { limit: pLimit(concurrency), waiting: 0 },
    bulk: { limit: pLimit(concurrency), waiting: 0 },
  };
  const stop = new AbortController();
  const counts = { sent: 0, failed: 0, dropped: 0 };
  const waiting = (): number => lanes.awaited.waiting + lanes.bulk.waiting;

  const trySend = async (mail: Mail, lane: MailLane, brokenOff?: AbortSignal): Promise<void> => {
    await lanes[lane].limit(async () => {
      const dressed = await dress(mail);
      brokenOff?.throwIfAborted();
      const signals = [stop.signal, ...(brokenOff ? [brokenOff] : [])];
      await abortAfter(tryMs, signals, async (signal) => transport.sendMail({ ...dressed, signal }));
    });
    counts.sent += 1;
  };

  const queuedMails = new Set<MailAbout>();

  const deliver = async (mail: Mail, about: MailAbout, lane: MailLane): Promise<void> => {
    for (let count = 1; ; count += 1) {
      try {
        await trySend(mail, lane);
        return;
      } catch (error) {
        if (stop.signal.aborted) return;
        if (count >= tries || isPermanentRefusal(error)) {
          counts.failed += 1;
          // Neither the address nor the text: the text holds a token.
          log.error({ err: messageOf(error), tries: count, about }, 'a mail could not be sent');
          return;
        }
      }
      const waitMs = backoffMs(retryMs, count, RETRY_MS_MAX);
      await pause(waitMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
      if (stop.signal.aborted) return;
    }
  };

  return {
    send(mail, about, name = 'awaited') {
      const lane = lanes[name];
      if (stop.signal.aborted || lane.waiting >= queued) {
        counts.dropped += 1;
        log.error({ waiting: lane.waiting, about }, 'a mail was dropped: the queue is full');
        return false;
      }
      lane.waiting += 1;
      // Two mails may be about the same.
      const own = { ...about };
      queuedMails.add(own);
      void deliver(mail, about, name).finally(() => {
        lane.waiting -= 1;
        queuedMails.delete(own);
      });
      return true;
    },
    sendOnce: async (mail, signal) => trySend(mail, 'bulk', signal),
    counts: () => ({ ...counts, waiting: waiting() }),
    close() {
      if (waiting() > 0)
        log.warn({ waiting: waiting(), about: [...queuedMails] }, 'mails that wait are dropped');
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

/** What nodemailer says of a reply of the mail server. */
interface SMTPError extends Error {
  responseCode: number;
  /** The command that it replied to. */
  command: string;
  /** The reply. */
  response: string;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
