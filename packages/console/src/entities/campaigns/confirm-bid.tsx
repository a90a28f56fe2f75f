import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  type BidKind,
  farAboveText,
  isFarAbove,
  isLargeRaise,
  loadUsualBids,
  raiseText,
} from './high-bid.ts';

/** Bids that are about to be saved, in dollars. */
type Bids = Partial<Record<BidKind, number | null>>;

/** The bids of an ad set that are about to be saved. */
export interface NewBids {
  /** Name of the ad set. */
  of: string;
  bids: Bids;
  /** The saved bids; null for a new ad set. */
  before: Bids | null;
}

/**
 * Asks whether bids are meant that are far above what the account usually pays, or more than 50 % above the bid before; true
 * without such bids.
 */
export async function confirmBids(all: readonly NewBids[]): Promise<boolean> {
  if (all.every(({ bids }) => !bids.bet_cpm && !bids.bet_cpi)) return true;
  const usual = await loadUsualBids();
  const texts = all.flatMap(({ of, bids, before }) =>
    (['bet_cpm', 'bet_cpi'] as const).flatMap((kind) => [
      ...(isLargeRaise(bids[kind], before?.[kind])
        ? [raiseText(kind, of, { before: before![kind]!, after: bids[kind]! })]
        : []),
      ...(isFarAbove(bids[kind], usual[kind]) ? [farAboveText(kind, bids[kind]!, usual[kind]!)] : []),
    ]),
  );
  if (texts.length === 0) return true;
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Is this bid correct?',
      children: (
        <Stack gap={4}>
          {[...new Set(texts)].map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Stack>
      ),
      labels: { confirm: 'Save this bid', cancel: 'Change it' },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}
