import type { CreativeFinding } from '@bidwell/contract/insight/creative-finding';
import { Stack, Text } from '@mantine/core';
import { useKnown } from '../../lib/loadable.ts';
import { creativeFindingsQuery } from './creative-finding-queries.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { HintPopover } from '../../ui/layout/hint-popover.tsx';
import { CreativeDelivery } from './creative-delivery.tsx';

interface CreativeHintProps {
  uuid: string;
  name: string;
  /** The ad set whose creative it is; undefined for all that use it. */
  adset?: string | undefined;
}

/** The status says it already. */
const SAID: readonly CreativeFinding['code'][] = ['shown', 'creative_in_review', 'creative_rejected'];

/** Someone chose that it does not run. */
const CHOSEN: readonly CreativeFinding['code'][] = ['group_archived', 'group_paused', 'adsets_not_running'];

/** A sign at a creative that is not shown, with a popover that says why. */
export function CreativeHint({ uuid, name, adset }: CreativeHintProps) {
  const { range } = useRangeSearch();
  const findings = useKnown(creativeFindingsQuery(range));
  const finding = findings?.get(uuid);
  const state = finding?.adsets.find((one) => one.uuid === adset) ?? finding;
  if (!state || SAID.includes(state.code)) return null;
  return (
    <HintPopover label={`Why ${name} is not shown`} color={CHOSEN.includes(state.code) ? 'gray' : 'orange'}>
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {state.severity === 'blocked' ? 'It cannot be shown' : 'No impressions in this period'}
        </Text>
        <CreativeDelivery states={[state]} />
      </Stack>
    </HintPopover>
  );
}
