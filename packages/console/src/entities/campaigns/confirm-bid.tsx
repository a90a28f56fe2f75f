import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type NewBids, hasNewBids, highBidTexts, loadUsualBids } from './high-bid.ts';

/**
 * Asks whether bids are meant that are far above what the account usually pays, or more than 50 % above the bid before; true
 * without such bids.
 */
export async function confirmBids(all: readonly NewBids[]): Promise<boolean> {
  if (!hasNewBids(all)) return true;
  const texts = highBidTexts(all, await loadUsualBids());
  if (texts.length === 0) return true;
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Is this bid correct?',
      children: (
        <Stack gap={4}>
          {texts.map((text) => (
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
