import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { ActionIcon, Stack, Text, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useBannerResolutions } from '../../../entities/creatives/queries.ts';
import { resolutionGroups } from '../../../entities/creatives/size-coverage.ts';

/** Tooltip with the allowed sizes; nothing for playables, which have none. */
export function SizeHint({ type }: { type: CreativeType }) {
  const resolutions = useBannerResolutions();
  if (type === 'Playable') return null;
  const groups = resolutionGroups.filter(({ label }) => (label === 'Native') === (type === 'Native'));
  return (
    <Tooltip
      multiline
      maw={360}
      events={{ hover: true, focus: true, touch: true }}
      label={
        type === 'Video' ? (
          'Any landscape or portrait size, for the video and for its end card; a square is not accepted.'
        ) : (
          <Stack gap={2}>
            {groups.map(({ key, label }) => (
              <Text key={key} size="xs">
                {label}: {resolutions[key].map(({ width, height }) => `${width}×${height}`).join(', ')}
              </Text>
            ))}
          </Stack>
        )
      }
    >
      <ActionIcon variant="transparent" color="gray" size="sm" aria-label="Allowed sizes">
        <IconInfoCircle size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
