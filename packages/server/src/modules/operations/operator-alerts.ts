import { operatorAlertTexts } from '@bidwell/contract/operator/operator-alert-texts';
import type { Context } from '../../context.ts';
import { transact, type Db } from '../../platform/postgres/transaction.ts';
import { mailKind } from '../messaging/public.ts';
import { type Safety, readSafety } from './health.ts';
import { sql } from 'kysely';

/** As in `deploy/observability/alerts.yml`. */
const BACKUP_SECONDS_MAX = 48 * 3600;
const FREE_RATIO_MIN = 0.1;
/** A warning is mailed once in this time while it lasts. */
const REPEAT_MS = 24 * 3_600_000;

/** The warnings that operators get by mail, as sentences by kind. Pure. */
export function warningsOf({
  backupAgeSeconds,
  ledgerDisagreements,
  clickhouseFreeRatio,
}: Safety): Map<string, string> {
  const warnings = new Map<string, string>();
  if (backupAgeSeconds > BACKUP_SECONDS_MAX)
    warnings.set('backup', operatorAlertTexts.backup(Math.floor(backupAgeSeconds / 3600)));
  if (ledgerDisagreements) warnings.set('ledger', operatorAlertTexts.ledger(ledgerDisagreements));
  if (clickhouseFreeRatio !== null && clickhouseFreeRatio < FREE_RATIO_MIN)
    warnings.set('disk', operatorAlertTexts.disk);
  return warnings;
}

/** Queues a mail to the operators' address with the warnings, each of them once a day while it lasts. */
export async function mailOperatorAlerts(ctx: Context): Promise<void> {
  const { mailer, config, db } = ctx;
  const to = config.operatorAlertMail;
  if (!mailer || to === null) return;
  const warnings = warningsOf(await readSafety(ctx));
  if (warnings.size === 0) return;
  const now = ctx.now();
  const before = new Date(now.getTime() - REPEAT_MS);
  await transact(db, async (tx) => {
    const kinds = await claimOperatorAlerts(tx.db, [...warnings.keys()], { now, before });
    if (kinds.length === 0) return;
    await operatorAlertMails.queue(ctx, tx, {
      about: kinds.join(),
      to,
      content: { sentences: kinds.map((kind) => warnings.get(kind)!) },
      expiresAt: new Date(now.getTime() + REPEAT_MS),
    });
  });
}

/** Mails of warnings to operators. */
export const operatorAlertMails = mailKind<{ sentences: string[] }>({
  name: 'operator_alert',
  lane: 'today_mail',
  async compose({ brand, config }, { sentences }) {
    const { settings } = await brand.current();
    return {
      subject: operatorAlertTexts.subject(settings.name),
      text: `${sentences.join('\n')}\n\n${config.publicUrl}/operator/health\n`,
      html: sentences.map((sentence) => `<p>${sentence}</p>`).join('\n'),
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
  },
});

/** Marks warnings as mailed at `now`, of those given that were not mailed since `before`. Only one of several servers gets each. */
async function claimOperatorAlerts(
  db: Db,
  kinds: readonly string[],
  { now, before }: { now: Date; before: Date },
): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    insert into operator_alerts (kind, mailed_at)
    select kind, ${now}::timestamptz from unnest(${[...kinds]}::text[]) as kind
    on conflict (kind) do update set mailed_at = excluded.mailed_at where operator_alerts.mailed_at <= ${before}
    returning kind`.execute(db);
  return rows.map(({ kind }) => kind);
}
