import { linkPath } from '@bidwell/contract/changes/entity-link';
import { dateTimeAt } from '@bidwell/contract/lib/calendar';
import { notificationLink } from '@bidwell/contract/notifications/link';
import type { Context } from '../../context.ts';
import { backoffMs } from '../../platform/concurrency/backoff.ts';
import type { InstallationBrand } from '../../platform/brand/brand-reader.ts';
import { consoleUrlOf } from '../../platform/brand/page-brand.ts';
import { groupBy } from '../../platform/group-by.ts';
import { type Mail, type Mailer, isPermanentRefusal } from '../../platform/mail/mailer.ts';
import { countMail } from '../../platform/postgres/stores/mail-count-store.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { alertMail } from './alert-mail.ts';
import {
  type ClaimedItem,
  type DueReader,
  claimMailItems,
  delayMailItems,
  deleteMailItems,
  readersWithDue,
} from './mail-store.ts';
import { savePreferences } from './preference-store.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

/** Mails of one run. */
const MAILS_MAX = 20;
/** A person gets one mail of a company within this time; what happens meanwhile is in the next one. */
const APART_MS = 5 * 60_000;
/** Alerts for an address that got its mails of a day are tried again after this. */
const FULL_MS = 3_600_000;
/** A claim is longer than all mails of a run may take. */
const CLAIM_MS = 10 * 60_000;
/** Alerts that a mail shows; of further ones it has the number. */
const SHOWN_MAX = 50;
const RETRY = { firstMs: 60_000, maxMs: 2 * 3_600_000, tries: 20 };

/** A company begins no further mail of a run after this: its people get theirs in the next ones. */
const TURN_MS = 5000;

/**
 * Mails what is due, one mail to each person and company. Of a company one mail is under way at a time: one with many people whose mails the
 * mail server takes long for delays the others by one such mail. `brokenOff` ends what is under way: it is tried again later.
 */
export async function mailAlerts(ctx: Context, brokenOff?: AbortSignal): Promise<void> {
  const { mailer } = ctx;
  if (!mailer) return;
  const now = ctx.now();
  const mailedBefore = new Date(now.getTime() - APART_MS);
  const readers = await readersWithDue(ctx.db, { now, mailedBefore, limit: MAILS_MAX });
  const byCompany = groupBy(readers, ({ companyId }) => companyId);
  await Promise.all([...byCompany.values()].map(async (own) => mailCompany(ctx, mailer, own, brokenOff)));
}

async function mailCompany(
  ctx: Context,
  mailer: Mailer,
  readers: readonly DueReader[],
  brokenOff: AbortSignal | undefined,
): Promise<void> {
  const beganMs = performance.now();
  for (const reader of readers) {
    if (brokenOff?.aborted) return;
    await mailOne(ctx, mailer, reader, brokenOff);
    if (performance.now() - beganMs >= TURN_MS) return;
  }
}

async function mailOne(
  ctx: Context,
  mailer: Mailer,
  reader: DueReader,
  brokenOff: AbortSignal | undefined,
): Promise<void> {
  const { companyId, userId } = reader;
  const now = ctx.now();
  const until = new Date(now.getTime() + CLAIM_MS);
  const items = await claimMailItems(ctx.db, companyId, { userId, now, until });
  if (items.length === 0) return;
  const notificationIds = items.map(({ notificationId }) => notificationId);
  if (!(await countMail(ctx.db, { to: reader.email, kind: 'alerts', at: now }))) {
    const dueAt = new Date(now.getTime() + FULL_MS);
    return delayMailItems(ctx.db, companyId, { userId, notificationIds, dueAt });
  }
  try {
    await mailer.sendOnce(mailOf(ctx, reader, { items, brand: await ctx.brand.current() }), brokenOff);
  } catch (error) {
    const attempts = Math.max(...items.map((item) => item.attempts));
    ctx.log.warn({ err: (error as Error).message, attempts }, 'a mail of alerts could not be sent');
    if (attempts >= RETRY.tries || isPermanentRefusal(error))
      return deleteMailItems(ctx.db, companyId, { userId, notificationIds });
    const dueAt = new Date(now.getTime() + backoffMs(RETRY.firstMs, attempts, RETRY.maxMs));
    return delayMailItems(ctx.db, companyId, { userId, notificationIds, dueAt });
  }
  await transact(ctx.db, async ({ db }) => {
    await deleteMailItems(db, companyId, { userId, notificationIds });
    await savePreferences(db, companyId, { userId, mailed_at: ctx.now() });
  });
}

function mailOf(
  { config }: Context,
  reader: DueReader,
  { items, brand }: { items: readonly ClaimedItem[]; brand: InstallationBrand },
): Mail {
  const { companyId, userId, email, companyName, timeZone } = reader;
  const token = unsubscribeToken(config.signingSecret, { companyId, userId });
  const url = consoleUrlOf(brand, config);
  return {
    to: email,
    ...alertMail({
      product: brand.settings.name,
      companyName,
      alerts: items.slice(0, SHOWN_MAX).map((item) => ({
        title: item.title,
        text: item.text,
        at: dateTimeAt(item.createdAt.getTime(), timeZone),
        link: linkOf(item, url),
      })),
      left: Math.max(0, items.length - SHOWN_MAX),
      alertsLink: `${url}/alerts`,
      unsubscribeLink: `${url}/unsubscribe#${token}`,
      unsubscribeAddress: `${url}/api/internal/alerts/unsubscribe/${token}`,
    }),
  };
}

/** The screen that an alert is about, at this server's own address; null without one. */
function linkOf({ kind, entityType, entityUuid }: ClaimedItem, url: string): string | null {
  const screen = notificationLink({ kind, entity_type: entityType, entity_uuid: entityUuid });
  return screen && `${url}${linkPath(screen)}`;
}
