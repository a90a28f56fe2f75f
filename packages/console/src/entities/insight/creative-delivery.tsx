import type { CreativePlacement, CreativeState } from '@bidwell/contract/insight/creative-finding';
import { type FunnelExit, exitName } from '@bidwell/contract/text/no-bid-reasons';
import { Group, Stack, Text } from '@mantine/core';
import { formatPercent } from '../../lib/format/format.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { FindingList } from './finding-list.tsx';

/** Reasons that apply to one creative, not to all creatives of an ad set. */
const OWN_NAMES: Partial<Record<FunnelExit, string>> = {
  no_matching_format: 'Another format',
  no_matching_size: 'Another size',
};

/** The reasons why a creative is not shown, and its share of the newest bid requests. */
export function CreativeDelivery({ states }: { states: readonly CreativeState[] }) {
  const placement = states.find((state) => state.placement)?.placement;
  return (
    <Stack gap="sm">
      <FindingList findings={states} />
      {placement && placement.requests > 0 && <Places placement={placement} />}
    </Stack>
  );
}

/** The share of the targeted requests that have a placement for the creative, and why the others have none. */
function Places({ placement: { requests, fitting, exits } }: { placement: CreativePlacement }) {
  const lines = [
    { name: 'With a placement for it', count: fitting },
    ...exits.map(({ exit, requests: count }) => ({ name: OWN_NAMES[exit] ?? exitName(exit), count })),
  ];
  return (
    <Stack component="dl" gap={4} m={0}>
      <Caption component="dt">Newest bid requests that the ad set targets</Caption>
      {lines.map(({ name, count }) => (
        <Group key={name} component="dd" m={0} justify="space-between" wrap="nowrap" gap="sm">
          <Text size="xs">{name}</Text>
          <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
            {shareText(count / requests)}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function shareText(share: number): string {
  return share > 0 && share < 0.001 ? '< 0.1%' : formatPercent(share * 100, 1);
}
