import type { Creative } from '@bidwell/contract/creatives/schema';
import type {
  ExchangeReview,
  ExchangeReviews,
  ReviewState,
} from '@bidwell/contract/creatives/exchange-reviews';
import { Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { exchangeReviewsQuery, sendForReview } from '../../entities/creatives/review-queries.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { useKnown, useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { LazyTooltip } from '../../ui/layout/lazy-tooltip.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';

/** Whether it, or a version of it, is approved here: exchanges get only that. */
const isRunning = ({ status, approved_version: approved, archived_at: archivedAt }: Creative): boolean =>
  archivedAt === null && (status === 'Approved' || approved !== null);

/** What the exchanges that review creatives say of one. Renders nothing where none does. */
export function CreativeReviews({ creative }: { creative: Creative }) {
  const reviews = useLoadable(exchangeReviewsQuery);
  return (
    <FigureFrame figures={reviews} what="The reviews by exchanges" skeleton={<Skeleton height={40} />}>
      {(known) => <KnownReviews creative={creative} reviews={known} />}
    </FigureFrame>
  );
}

function KnownReviews({
  creative,
  reviews: { exchanges, reviews },
}: {
  creative: Creative;
  reviews: ExchangeReviews;
}) {
  const reviewing = exchanges.filter(({ is_reviewed: isReviewed }) => isReviewed);
  if (reviewing.length === 0 || creative.archived_at !== null) return null;
  const others = exchanges.length - reviewing.length;
  return (
    <Stack gap={6} component="section" aria-label="Review by exchanges">
      <Text size="sm" fw={600}>
        Review by exchanges
      </Text>
      {reviewing.map(({ slug, name }) => (
        <Review
          key={slug}
          creative={creative}
          exchange={name}
          review={reviews.find((one) => one.creative_uuid === creative.uuid && one.slug === slug)}
        />
      ))}
      {!isRunning(creative) && (
        <Caption>Creatives are sent to exchanges once they are approved here.</Caption>
      )}
      {others > 0 && (
        <Caption>
          {others === 1 ? 'One other exchange needs' : `${others} other exchanges need`} no review.
        </Caption>
      )}
    </Stack>
  );
}

interface ReviewProps {
  creative: Creative;
  exchange: string;
  /** Undefined for a creative that was not sent. */
  review: ExchangeReview | undefined;
}

function Review({ creative, exchange, review }: ReviewProps) {
  const mayBeSent = review !== undefined && (review.state === 'disapproved' || review.is_held);
  return (
    <Stack gap={4}>
      <Group gap="xs" justify="space-between">
        <Text size="sm">{exchange}</Text>
        <StatusBadge status={review?.state ?? 'not_sent'} />
      </Group>
      {review?.reasons.map((reason) => (
        <Text key={reason} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      ))}
      {review?.error != null && <Caption style={{ overflowWrap: 'anywhere' }}>{review.error}</Caption>}
      {review?.sent_at != null && <Caption>Last sent {formatMoment(review.sent_at)}</Caption>}
      {mayBeSent && (
        <IfMay permission="creative.write">
          <SendAgain uuid={creative.uuid} slug={review.slug} exchange={exchange} />
        </IfMay>
      )}
    </Stack>
  );
}

function SendAgain({ uuid, slug, exchange }: { uuid: string; slug: string; exchange: string }) {
  const { save, busy } = useSave({
    send: () => sendForReview(uuid, slug),
    done: `The creative is being sent to ${exchange} again`,
  });
  return (
    <Group>
      <SmallButton loading={busy} onClick={() => save()}>
        Send it again<VisuallyHidden component="span"> to {exchange}</VisuallyHidden>
      </SmallButton>
    </Group>
  );
}

/** The states in which a creative is not bid at an exchange, the worst first. */
const NOT_BID: readonly ReviewState[] = ['disapproved', 'not_sent', 'lapsed', 'pending'];
const WORDS: Partial<Record<ReviewState, string>> = {
  disapproved: 'Disapproved by',
  not_sent: 'Not sent to',
  lapsed: 'Lapsed at',
  pending: 'Pending at',
};

/** Where exchanges have not approved a creative that may run: the worst state and its exchanges. Renders nothing for others. */
export function UnapprovedAt({ creative }: { creative: Creative }) {
  const known = useKnown(exchangeReviewsQuery);
  if (!known || !isRunning(creative)) return null;
  const of = known.reviews.filter(({ creative_uuid: uuid }) => uuid === creative.uuid);
  const state = NOT_BID.find((one) => of.some((review) => review.state === one));
  if (state === undefined) return null;
  const found = of.filter((review) => review.state === state);
  const [first] = found;
  const exchange =
    found.length === 1
      ? known.exchanges.find(({ slug }) => slug === first!.slug)?.name
      : `${found.length} exchanges`;
  const why = found.flatMap(({ reasons, error }) => [...reasons, ...(error === null ? [] : [error])]);
  const text = (
    <Caption miw={105} maw={150} {...(why.length > 0 && { tabIndex: 0 })}>
      {WORDS[state]} {exchange ?? 'an exchange'}
    </Caption>
  );
  if (why.length === 0) return text;
  return (
    <LazyTooltip label={why.join('; ')} multiline maw={320}>
      {text}
    </LazyTooltip>
  );
}
