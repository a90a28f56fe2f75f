import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { Badge, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Loadable } from '../../lib/loadable.ts';
import { FigureFrame, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { useBannerResolutions } from './queries.ts';
import { type GroupCoverage, type SizedCreative, bannerCoverage, videoCoverage } from './size-coverage.ts';

interface SizeCoveragePanelProps {
  creatives: Loadable<readonly SizedCreative[]>;
  /** The types to show; a playable has no size. */
  types: readonly CreativeType[];
  /** Describes which creatives these are. */
  of: string;
}

/** Shows which sizes have a creative: banner resolutions by group, and the number of landscape and portrait videos. */
export function SizeCoveragePanel({ creatives, types, of }: SizeCoveragePanelProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Size coverage">
      <Text fw={600}>Size coverage</Text>
      <Caption mb="sm">{of}</Caption>
      <FigureFrame figures={creatives} what="The creatives" skeleton={<ListSkeleton rows={4} height={48} />}>
        {(known) => <Coverage creatives={known} types={types} />}
      </FigureFrame>
    </Paper>
  );
}

interface CoverageProps extends Pick<SizeCoveragePanelProps, 'types'> {
  creatives: readonly SizedCreative[];
}

function Coverage({ creatives, types }: CoverageProps) {
  const resolutions = useBannerResolutions();
  const videos = videoCoverage(creatives);
  const groups = bannerCoverage(resolutions, creatives).filter(({ label }) =>
    types.includes(label === 'Native' ? 'Native' : 'Banner'),
  );
  return (
    <Stack gap="sm">
      {groups.map((group) => (
        <GroupRow key={group.label} group={group} />
      ))}
      {types.includes('Video') && (
        <>
          <CountRow label="Landscape" count={videos.landscape} />
          <CountRow label="Portrait" count={videos.portrait} />
        </>
      )}
    </Stack>
  );
}

function GroupRow({ group: { label, sizes, covered } }: { group: GroupCoverage }) {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{label}</Text>
        <Caption>
          {covered} of {sizes.length}
        </Caption>
      </Group>
      <Group gap={6} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {sizes.map(({ width, height, creatives }) => (
          <Badge
            key={`${width}×${height}`}
            component="li"
            variant={creatives > 0 ? 'light' : 'default'}
            c={creatives > 0 ? undefined : 'dimmed'}
            fw={500}
            radius="sm"
            leftSection={creatives > 0 && <IconCheck size={11} aria-label="Covered" />}
          >
            {width}×{height}
            {creatives > 1 && ` · ${creatives}`}
          </Badge>
        ))}
      </Group>
    </div>
  );
}

function CountRow({ label, count }: { label: string; count: number }) {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{label}</Text>
        <Caption>
          {count} of {limits.coverageTarget}
        </Caption>
      </Group>
      <Progress
        value={(count / limits.coverageTarget) * 100}
        size="sm"
        aria-label={`${label} videos, ${count} of ${limits.coverageTarget}`}
      />
    </div>
  );
}
