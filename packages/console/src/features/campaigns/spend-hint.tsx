import type { Campaign } from '@bidwell/contract/campaign';
import { ActionIcon, Popover, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Suspense, lazy } from 'react';

const SpendReasons = lazy(async () => ({ default: (await import('./spend-reasons.tsx')).SpendReasons }));

/** Popover with the reasons why an active campaign has no impressions. */
export function SpendHint({ campaign }: { campaign: Campaign }) {
  return (
    <Popover width={320} shadow="md" position="bottom-start" withArrow>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="orange"
          size="sm"
          aria-label={`Why ${campaign.name} does not spend`}
        >
          <IconAlertTriangle size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={<Skeleton height={60} />}>
          <SpendReasons campaign={campaign} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
