import { messages } from '@bidwell/contract/messages';
import { Box, Group, Text, Tooltip } from '@mantine/core';

const colours: Record<string, string> = {
  Approved: 'green.7',
  Active: 'green.7',
  success: 'green.7',
  Moderation: 'orange.6',
  Rejected: 'red.7',
  declined: 'red.7',
  Paused: 'yellow.6',
  pending: 'yellow.6',
};

const labels: Record<string, string> = { success: 'Success', pending: 'Pending', declined: 'Declined' };

/** A status as dot and word, so that colour never speaks alone. `reason` explains a rejection. */
export function StatusBadge({ status, reason }: { status: string; reason?: string | null }) {
  const badge = (
    <Group gap={6} wrap="nowrap" w="fit-content">
      <Box w={8} h={8} bg={colours[status] ?? 'gray.5'} style={{ borderRadius: 8, flexShrink: 0 }} />
      <Text size="sm">{labels[status] ?? status}</Text>
    </Group>
  );
  const explanation = status === 'Moderation' ? messages.moderation : reason;
  return explanation ? (
    <Tooltip label={explanation} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <div tabIndex={0}>{badge}</div>
    </Tooltip>
  ) : (
    badge
  );
}
