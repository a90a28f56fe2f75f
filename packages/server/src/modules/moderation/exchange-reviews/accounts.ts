import { exchangeReviewMessages } from '@bidwell/contract/creatives/exchange-review-messages';
import {
  REVIEWED_CREATIVES_MAX,
  type ReviewAccount,
  type ReviewAccountInput,
  type ReviewedCreatives,
  type ReviewedCreativesQuery,
} from '@bidwell/contract/operator/exchange-review';
import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { lockSetting } from '../../../platform/postgres/locks.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import { faultOfServiceAccountKey } from './google-reviews.ts';
import {
  type AccountRow,
  countReviews,
  exchangeOf,
  findAccount,
  listReviewRows,
  reviewSecretPlace,
  saveAccount,
} from './review-store.ts';

/** How creatives are submitted to an exchange. Throws NotFound. */
export async function readReviewAccount(
  ctx: Context,
  operator: Operator,
  { slug }: { slug: string },
): Promise<ReviewAccount> {
  requireOperatorPermission(operator, 'exchange.read');
  const { review } = await requireExchange(ctx.db, slug);
  return presentAccount(ctx.db, slug, review);
}

/**
 * Sets the account and the credentials with which creatives are submitted to an exchange; from then on only creatives that it approved are bid
 * there. Throws NotFound, Conflict for an exchange that reviews none, and Invalid for credentials of another form
 * or a private key that cannot be read.
 */
export async function putReviewAccount(
  ctx: Context,
  operator: Operator,
  { slug, ...input }: ReviewAccountInput & { slug: string },
): Promise<ReviewAccount> {
  requireOperatorPermission(operator, 'exchange.write');
  const account = await transact(ctx.db, async (tx) => {
    await lockSetting(tx.db, `exchange ${slug}`);
    const { name, review } = await requireExchange(tx.db, slug);
    if (review === null) throw new Conflict(exchangeReviewMessages.notReviewed);
    const before = await findAccount(tx.db, slug);
    requireCredentials(review, input, before?.secret != null);
    const secret =
      input.secret === undefined
        ? (before?.secret ?? null)
        : ctx.encryption.encrypt(input.secret, reviewSecretPlace(slug));
    const { is_enabled, account: id, login } = input;
    await saveAccount(tx.db, { slug, is_enabled, account: id, login, secret });
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'exchange',
      entityId: slug,
      name,
      before: logged(before),
      after: {
        ...logged({ is_enabled, account: id, login }),
        ...(input.secret !== undefined && { review_secret: 'replaced' }),
      },
    });
    return presentAccount(tx.db, slug, review);
  });
  ctx.onInstallationChanged();
  return account;
}

/** The creatives of all companies that an exchange reviews, those that changed last first. Throws NotFound. */
export async function listReviewedCreatives(
  ctx: Context,
  operator: Operator,
  { slug, state }: z.output<typeof ReviewedCreativesQuery> & { slug: string },
): Promise<ReviewedCreatives> {
  requireOperatorPermission(operator, 'exchange.read');
  await requireExchange(ctx.db, slug);
  if (state === 'not_needed') return { creatives: [] };
  const rows = await listReviewRows(ctx.db, slug, { state, limit: REVIEWED_CREATIVES_MAX });
  return {
    creatives: rows.map(({ sent_at: sentAt, decided_at: decidedAt, ...row }) => ({
      ...row,
      sent_at: sentAt?.toISOString() ?? null,
      decided_at: decidedAt?.toISOString() ?? null,
    })),
  };
}

async function requireExchange(
  db: Db,
  slug: string,
): Promise<{ name: string; review: ReviewAccount['review'] }> {
  const exchange = await exchangeOf(db, slug);
  if (!exchange) throw new NotFound('Exchange');
  return { name: exchange.name, review: rulesOf(exchange.profile).creative_review };
}

function requireCredentials(
  review: 'google' | 'xandr',
  { login, secret, is_enabled: isEnabled }: ReviewAccountInput,
  hasSecret: boolean,
): void {
  if (isEnabled && secret === undefined && !hasSecret)
    throw new Invalid([{ field: 'secret', message: exchangeReviewMessages.secretRequired }]);
  const fault = review === 'google' && secret !== undefined ? faultOfServiceAccountKey(secret) : null;
  if (fault !== null) throw new Invalid([{ field: 'secret', message: fault }]);
  if (review === 'xandr' && isEnabled && login === '')
    throw new Invalid([{ field: 'login', message: exchangeReviewMessages.loginRequired }]);
}

const logged = (row: Pick<AccountRow, 'is_enabled' | 'account' | 'login'> | undefined) => ({
  review_enabled: row?.is_enabled ?? false,
  review_account: row?.account ?? '',
  review_login: row?.login ?? '',
});

async function presentAccount(db: Db, slug: string, review: ReviewAccount['review']): Promise<ReviewAccount> {
  const row = await findAccount(db, slug);
  return {
    slug,
    review,
    is_enabled: row?.is_enabled ?? false,
    account: row?.account ?? '',
    login: row?.login ?? '',
    has_secret: row !== undefined && row.secret !== null,
    accepted_at: row?.accepted_at?.toISOString() ?? null,
    error: row?.error ?? null,
    paused_until: row?.paused_until?.toISOString() ?? null,
    creatives: await countReviews(db, slug),
  };
}
