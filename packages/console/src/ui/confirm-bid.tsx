import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { BidKind } from '../lib/high-bid.ts';
import { farAboveText, isFarAbove, loadUsualBids } from '../lib/high-bid.ts';

/** Bids that are about to be saved, in dollars. */
export type Bids = Partial<Record<BidKind, number | null>>;

/** Asks whether bids that are far above what the account usually pays are meant; true without such bids. */
export async function confirmBids(all: readonly Bids[]): Promise<boolean> {
  if (all.every((bids) => !bids.bet_cpm && !bids.bet_cpi)) return true;
  const usual = await loadUsualBids();
  const texts = all.flatMap((bids) =>
    (['bet_cpm', 'bet_cpi'] as const)
      .filter((kind) => isFarAbove(bids[kind], usual[kind]))
      .map((kind) => farAboveText(kind, bids[kind]!, usual[kind]!)),
  );
  if (texts.length === 0) return true;
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Is this bid meant?',
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
      closeButtonProps: { 'aria-label': 'Close' },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}
