import { exchangeReviewMessages } from '@bidwell/contract/creatives/exchange-review-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import type { Context } from '../../../context.ts';
import { daysBefore } from '../../../platform/days-before.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import {
  type MessageKind,
  type Outcome,
  doubling,
  notify,
  queueMessage,
  removeMessages,
} from '../../messaging/public.ts';
import { countForReport, periodOf } from '../../reporting/public.ts';
import { googleReviewer } from './google-reviews.ts';
import { submissionOf } from './review-content.ts';
import {
  type AccountRow,
  type ReviewRow,
  addMissingReviews,
  bringPollForward,
  deleteStoppedReviews,
  enabledAccounts,
  exchangeOf,
  findAccount,
  findReview,
  hasReviews,
  lockAccount,
  renewChangedReviews,
  reviewSecretPlace,
  reviewedParts,
  reviewsOfCreatives,
  reviewsToSend,
  uncountedReviews,
  updateAccount,
  updateReview,
} from './review-store.ts';
import type { ReviewCalling, ReviewFailure, Reviewer, Verdict } from './reviewer.ts';
import { xandrReviewer } from './xandr-reviews.ts';

const REVIEWERS = { google: googleReviewer, xandr: xandrReviewer };

const SEND = { name: 'exchange_review', lane: 'bulk' } as const;
const POLL = { name: 'exchange_review_states', lane: 'bulk' } as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How often creatives are looked for that have to be sent. */
export const PLAN_EVERY_MS = 15_000;
/** Of an exchange in a round: each takes a read and a write, and Xandr allows 60 writes and 100 reads a minute for a member. */
const SENDS_PER_ROUND = 8;
/** Messages of an exchange that wait, such as for its next try. */
const WAITING_MAX = 40;
/** Creatives of a round that are added, renewed and ended. */
const CHANGED_PER_ROUND = 500;
/** Creatives of a round whose use is counted. */
const COUNTED_PER_ROUND = 100;
/** A creative is sent again this long before the exchange deactivates it. */
const AHEAD_DAYS = 2;
/** About a day; then the next round begins anew. */
const SEND_RETRIES = doubling({ firstMs: MINUTE_MS, maxMs: 2 * 60 * MINUTE_MS, tries: 18 });
const POLL_RETRIES = doubling({ firstMs: MINUTE_MS, maxMs: 60 * MINUTE_MS, tries: 10 });
/** Between two questions while something is in review: reviews take about half an hour. Doubled as long as nothing is new, up to an hour. */
const POLL_MS = 5 * MINUTE_MS;
const POLL_MS_MAX = 60 * MINUTE_MS;
/** While nothing is in review: an approved creative may be disapproved later. */
const IDLE_POLL_MS = 6 * 60 * MINUTE_MS;
/** Pages of one question. The next one goes on where it ended. */
const PAGES_MAX = 20;
/** After a refusal of the credentials, or where an exchange is overloaded and does not say how long. */
const PAUSE_MS = { account: 15 * MINUTE_MS, later: MINUTE_MS };

/** How an exchange with a profile reviews creatives; null for one that does not. */
export function reviewerOf(profile: ProfileSlug): Reviewer | null {
  const kind = rulesOf(profile).creative_review;
  return kind && REVIEWERS[kind];
}

/** Finds creatives that exchanges have to review, and queues what is due: bounded, companies in turns. */
export async function planExchangeReviews(ctx: Context): Promise<void> {
  for (const account of await enabledAccounts(ctx.db)) {
    const reviewer = reviewerOf(account.profile);
    if (!reviewer || account.secret === null) continue;
    await followCreatives(ctx, account.slug);
    await endUnused(ctx, account.slug, reviewer);
    await queueDue(ctx, account, reviewer);
  }
}

/** Adds reviews of new creatives, begins the ones of changed creatives anew, and ends the ones of creatives that stopped. */
async function followCreatives(ctx: Context, slug: string): Promise<void> {
  const now = ctx.now();
  await transact(ctx.db, async (tx) => {
    const { db } = tx;
    await deleteStoppedReviews(db, slug, { kind: SEND.name, limit: CHANGED_PER_ROUND });
    const changed = await renewChangedReviews(db, slug, { now, limit: CHANGED_PER_ROUND });
    for (const companyId of changed) tx.changes(companyId);
    await addMissingReviews(db, slug, { now, limit: CHANGED_PER_ROUND });
  });
}

/** Counts once a day whether creatives were shown, and marks as lapsed the ones that the exchange would drop soon. */
async function endUnused(ctx: Context, slug: string, { unusedDays }: Reviewer): Promise<void> {
  const now = ctx.now();
  const lapsed = daysBefore(now, unusedDays - AHEAD_DAYS);
  const uncounted = await uncountedReviews(ctx.db, slug, {
    since: daysBefore(now, 1),
    limit: COUNTED_PER_ROUND,
  });
  for (const [companyId, rows] of groupBy(uncounted, ({ company_uuid: company }) => company)) {
    const countedMs = rows.map(({ counted_at: counted, used_at: used }) =>
      (counted ?? used ?? now).getTime(),
    );
    // At least on this day, since days are counted whole.
    const since = new Date(Math.floor(Math.min(...countedMs) / DAY_MS) * DAY_MS);
    const shown = await shownSince(ctx, companyId, { slug, rows, since });
    await transact(ctx.db, async (tx) => {
      for (const row of rows) {
        const lastMs = Math.max(
          row.used_at?.getTime() ?? 0,
          shown.has(row.creative_uuid) ? since.getTime() : 0,
        );
        const used = { used_at: new Date(lastMs), counted_at: now };
        const isLapsed = lastMs < lapsed.getTime();
        await updateReview(tx.db, row, isLapsed ? { ...used, state: 'lapsed', changed_at: now } : used);
        if (isLapsed) noteChange(ctx, tx, { review: row, state: 'lapsed' });
      }
    });
  }
}

/** The creatives among some that had impressions at an exchange since a day. */
async function shownSince(
  ctx: Context,
  companyId: string,
  { slug, rows, since }: { slug: string; rows: readonly ReviewRow[]; since: Date },
): Promise<ReadonlySet<string>> {
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  const counts = await countForReport(ctx, companyId, {
    period: periodOf({ start: dayOf(since), end: dayOf(ctx.now()), timeZone: 'UTC' }),
    by: ['creative'],
    filters: { exchange: [slug], creative: rows.map(({ creative_uuid: creative }) => creative) },
  });
  return new Set(counts.filter(({ impressions }) => impressions > 0).map(({ values }) => values[0]!));
}

/** Queues creatives to send, and the question for their states. */
async function queueDue(ctx: Context, account: AccountRow, { host }: Reviewer): Promise<void> {
  const { slug } = account;
  const now = ctx.now();
  if (account.paused_until !== null && account.paused_until > now) return;
  await transact(ctx.db, async (tx) => {
    const { db } = tx;
    const due = await reviewsToSend(db, slug, {
      kind: SEND.name,
      limit: SENDS_PER_ROUND,
      waitingMax: WAITING_MAX,
    });
    for (const { uuid: about, company_uuid: companyId } of due)
      await queueMessage(ctx, tx, SEND, { about, companyId, host });
    if (account.poll_at !== null && account.poll_at > now) return;
    if (!(await hasReviews(db, slug, ['pending', 'approved', 'disapproved', 'not_sent']))) return;
    await removeMessages(db, POLL, slug);
    await queueMessage(ctx, tx, POLL, { about: slug, queue: `${POLL.name} ${slug}`, host });
    await updateAccount(db, slug, { poll_at: new Date(now.getTime() + POLL_MS_MAX) });
  });
}

/** Queues a review that a person sends again, in place of a message that waits. */
export async function queueReview(
  ctx: Context,
  tx: Tx,
  { uuid, company_uuid }: ReviewRow,
  { host }: Reviewer,
): Promise<void> {
  await removeMessages(tx.db, SEND, uuid);
  await queueMessage(ctx, tx, SEND, { about: uuid, companyId: company_uuid, host });
}

/** Submits a creative to an exchange. */
export const reviewSendMessages: MessageKind = {
  ...SEND,
  retries: SEND_RETRIES,
  async send(ctx, { about, companyId }, { cutOff }) {
    const review = companyId === null ? undefined : await findReview(ctx.db, companyId, about);
    if (!review || (review.state !== 'not_sent' && review.state !== 'lapsed')) return { result: 'dropped' };
    const open = await openAccount(ctx, review.slug, cutOff);
    if (!open) return { result: 'dropped' };
    if ('until' in open) return { result: 'postponed', until: open.until };
    if ('failure' in open) return failed(ctx, review, open.failure);
    const parts = await reviewedParts(ctx.db, review.company_uuid, review.creative_uuid);
    if (!parts) return { result: 'dropped' };
    const { creative_uuid: creativeId, version } = review;
    // It was sent before, and has to be again: because it lapses, or because a person wants that.
    const since = review.sent_version === version ? review.changed_at : null;
    const submission = submissionOf(ctx, parts, { creativeId, version, since });
    const outcome = await open.reviewer.submit(open.calling, submission);
    if ('failure' in outcome) return failed(ctx, review, outcome.failure);
    const now = ctx.now();
    return {
      result: 'sent',
      async settle(tx) {
        // It was submitted just now: what is said of its expiry is of before.
        const verdict = outcome.state === 'lapsed' ? { ...outcome, state: 'pending' as const } : outcome;
        await updateReview(tx.db, review, {
          sent_version: version,
          sent_at: now,
          used_at: now,
          counted_at: now,
          error: null,
          is_held: false,
        });
        await take(ctx, tx, { review, verdict, exchange: open.name });
        await updateAccount(tx.db, review.slug, {
          accepted_at: now,
          error: null,
        });
        await bringPollForward(tx.db, review.slug, new Date(now.getTime() + POLL_MS));
      },
    };
  },
};

/** Asks an exchange for the states of its creatives. */
export const reviewStateMessages: MessageKind = {
  ...POLL,
  retries: POLL_RETRIES,
  async send(ctx, { about: slug }, { cutOff, stopping }) {
    const open = await openAccount(ctx, slug, cutOff);
    if (!open) return { result: 'dropped' };
    if ('until' in open) return { result: 'postponed', until: open.until };
    if ('failure' in open) return failedPoll(ctx, slug, open.failure);
    let cursor = open.account.poll_cursor;
    const asked = new Set([cursor]);
    let changes = 0;
    for (let page = 0; page < PAGES_MAX && !stopping.aborted; page += 1) {
      const listed = await open.reviewer.list(open.calling, cursor);
      if ('failure' in listed) return failedPoll(ctx, slug, listed.failure);
      changes += await takeAll(ctx, { slug, verdicts: listed.verdicts, exchange: open.name });
      // A page that was asked for already would lead round in a circle: the list ends there.
      cursor = asked.has(listed.next) ? null : listed.next;
      if (cursor === null) break;
      asked.add(cursor);
    }
    const now = ctx.now();
    return {
      result: 'sent',
      async settle(tx) {
        // A creative that was sent meanwhile has to be asked for soon, so the account is read again, and waits for the end of the sending.
        const account = await lockAccount(tx.db, slug);
        if (!account) return;
        const isPending = await hasReviews(tx.db, slug, ['pending']);
        const quiet = changes > 0 ? 0 : account.quiet_polls + 1;
        const pauseMs = isPending
          ? Math.min(POLL_MS * 2 ** Math.max(0, quiet - 1), POLL_MS_MAX)
          : IDLE_POLL_MS;
        await updateAccount(tx.db, slug, {
          accepted_at: now,
          error: null,
          quiet_polls: quiet,
          poll_cursor: cursor,
          poll_at: new Date(now.getTime() + (cursor === null ? pauseMs : PLAN_EVERY_MS)),
        });
      },
    };
  },
};

/** Stores the verdicts of a page. Resolves to how many states changed. */
async function takeAll(
  ctx: Context,
  { slug, verdicts, exchange }: { slug: string; verdicts: ReadonlyMap<string, Verdict>; exchange: string },
): Promise<number> {
  if (verdicts.size === 0) return 0;
  return transact(ctx.db, async (tx) => {
    let changes = 0;
    for (const review of await reviewsOfCreatives(tx.db, slug, [...verdicts.keys()])) {
      // What it says of an earlier version, or of a creative that is sent again, is over. One that is held may be registered by hand.
      const isKnown =
        review.sent_version === review.version && review.state !== 'not_sent' && review.state !== 'lapsed';
      if (!isKnown && !review.is_held) continue;
      const verdict = verdicts.get(review.creative_uuid)!;
      if (await take(ctx, tx, { review, verdict, exchange })) changes += 1;
    }
    return changes;
  });
}

/** Stores what an exchange says of a creative. Resolves to whether that is new. */
async function take(
  ctx: Context,
  tx: Tx,
  { review, verdict, exchange }: { review: ReviewRow; verdict: Verdict; exchange: string },
): Promise<boolean> {
  const { state, reasons } = verdict;
  if (state === review.state && JSON.stringify(reasons) === JSON.stringify(review.reasons)) return false;
  const now = ctx.now();
  const isDecided = state === 'approved' || state === 'disapproved';
  const isStored = await updateReview(tx.db, review, {
    state,
    reasons: JSON.stringify(reasons),
    decided_at: isDecided ? now : null,
    changed_at: now,
    ...(isDecided && { error: null, is_held: false, sent_version: review.version }),
    ...(isDecided && review.used_at === null && { used_at: now }),
  });
  if (!isStored) return false;
  noteChange(ctx, tx, { review, state });
  if (state === 'disapproved') await notifyOfDisapproval(ctx, tx, { review, reasons, exchange });
  return true;
}

async function notifyOfDisapproval(
  ctx: Context,
  tx: Tx,
  { review, reasons, exchange }: { review: ReviewRow; reasons: readonly string[]; exchange: string },
): Promise<void> {
  const { creative_uuid: uuid, company_uuid: companyId, slug } = review;
  const [named] = await reviewsOfCreatives(tx.db, slug, [uuid]);
  await notify(ctx, tx, companyId, {
    kind: 'exchange_review',
    ...notificationMessages.disapprovedByExchange(named?.name ?? '', exchange, reasons),
    entity: { type: 'creative', uuid },
  });
}

/** Open pages learn of the new state of a review, and bidders of one that decides whether the creative is bid. */
function noteChange(
  ctx: Context,
  tx: Tx,
  { review, state }: { review: ReviewRow; state: ReviewRow['state'] },
): void {
  const { company_uuid: companyId, creative_uuid: uuid } = review;
  const change = { entity: 'creative', uuid, action: 'update' } as const;
  const isBid = (state === 'approved') !== (review.state === 'approved');
  if (isBid) tx.changes(companyId);
  tx.afterCommit(() => {
    if (isBid) ctx.onEntityChanged({ companyId, ...change });
    ctx.realtime.toCompany(companyId, { type: 'entity', ...change });
  });
}

interface OpenAccount {
  account: AccountRow;
  reviewer: Reviewer;
  calling: ReviewCalling;
  name: string;
}

/** The account of an exchange for a call; null where creatives are not submitted any more. */
async function openAccount(
  ctx: Context,
  slug: string,
  signal: AbortSignal,
): Promise<OpenAccount | { until: Date } | { failure: ReviewFailure } | null> {
  const account = await findAccount(ctx.db, slug);
  const exchange = await exchangeOf(ctx.db, slug);
  const reviewer = exchange && reviewerOf(exchange.profile);
  if (!account?.is_enabled || account.secret === null || !reviewer) return null;
  if (account.paused_until !== null && account.paused_until > ctx.now())
    return { until: account.paused_until };
  const { login } = account;
  const secret = ctx.encryption.decrypt(account.secret, reviewSecretPlace(slug));
  const calling = { ctx, account: account.account, login, secret, signal };
  const { publicUrl, assetOrigin, partnerStandIn } = ctx.config;
  if (publicUrl === undefined && assetOrigin === null && partnerStandIn === null)
    return { failure: { error: exchangeReviewMessages.noAddress, kind: 'account', waitMs: null } };
  return { account, reviewer, calling, name: exchange.name };
}

/** The outcome of a creative that was not taken: all of the exchange wait where it asks to, or refuses the credentials. */
function failed(ctx: Context, review: ReviewRow, failure: ReviewFailure): Outcome {
  const isFinal = failure.kind === 'creative';
  const pause = pauseOf(ctx, failure);
  const settle = async (tx: Tx): Promise<void> => {
    const error = failure.kind === 'account' ? exchangeReviewMessages.account : failure.error;
    await updateReview(tx.db, review, { error, is_held: isFinal });
    if (!isFinal)
      await updateAccount(tx.db, review.slug, {
        error: failure.error,
        ...(pause && { paused_until: pause }),
      });
  };
  if (pause) return { result: 'postponed', until: pause, settle };
  // The advertiser and the operator read why on their screens: for the server it is no failure.
  if (isFinal) return { result: 'dropped', settle };
  return { result: 'failed', reason: 'the exchange did not take it', isFinal: false, settle };
}

function failedPoll(ctx: Context, slug: string, failure: ReviewFailure): Outcome {
  const pause = pauseOf(ctx, failure);
  const settle = async (tx: Tx): Promise<void> =>
    updateAccount(tx.db, slug, {
      error: failure.error,
      poll_cursor: null,
      ...(pause && { paused_until: pause }),
    });
  if (pause) return { result: 'postponed', until: pause, settle };
  return { result: 'failed', reason: 'the exchange did not say', isFinal: false, settle };
}

/** Until when an exchange is not called; null for one that is tried again by the plan of retries. */
function pauseOf(ctx: Context, { kind, waitMs }: ReviewFailure): Date | null {
  if (kind === 'creative' || (kind === 'later' && waitMs === null)) return null;
  return new Date(ctx.now().getTime() + Math.max(waitMs ?? 0, PAUSE_MS[kind]));
}
