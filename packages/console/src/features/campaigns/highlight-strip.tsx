import type { Highlights } from '@bidwell/contract/analytics';
import { limits } from '@bidwell/contract/limits';
import type { HighlightMetric } from '@bidwell/contract/metrics';
import { DEFAULT_HIGHLIGHTS, HIGHLIGHT_METRICS } from '@bidwell/contract/metrics';
import {
  ActionIcon,
  Card,
  Group,
  Menu,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconPlus, IconX } from '@tabler/icons-react';
import { formatChange } from '../../lib/format.ts';
import { changeMood, metricViews } from './highlights.ts';

const moods = { good: 'green.8', bad: 'red.8', neutral: 'dimmed' } as const;

/** The cards above the chart: at least one, at most four; which ones is kept in this browser. */
export function HighlightStrip({ highlights }: { highlights: Highlights | undefined }) {
  const [kept, setShown] = useLocalStorage<HighlightMetric[]>({
    key: 'bidwell.highlights',
    defaultValue: [...DEFAULT_HIGHLIGHTS],
    getInitialValueInEffect: false,
  });
  const known = kept
    .filter((metric) => HIGHLIGHT_METRICS.includes(metric))
    .slice(0, limits.highlightCardsMax);
  const shown = known.length > 0 ? known : [...DEFAULT_HIGHLIGHTS];
  const others = HIGHLIGHT_METRICS.filter((metric) => !shown.includes(metric));
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md" aria-label="Highlights" role="group">
      {shown.map((metric) => (
        <HighlightCard
          key={metric}
          metric={metric}
          highlights={highlights}
          onRemove={shown.length > 1 ? () => setShown(shown.filter((other) => other !== metric)) : undefined}
        />
      ))}
      {shown.length < limits.highlightCardsMax && (
        <Menu>
          <Menu.Target>
            <UnstyledButton>
              <Card withBorder h="100%" mih={92} style={{ borderStyle: 'dashed' }}>
                <Group gap={6} justify="center" h="100%">
                  <IconPlus size={16} /> Add Metric
                </Group>
              </Card>
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((metric) => (
              <Menu.Item key={metric} onClick={() => setShown([...shown, metric])}>
                {metricViews[metric].label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </SimpleGrid>
  );
}

interface HighlightCardProps {
  metric: HighlightMetric;
  highlights: Highlights | undefined;
  onRemove: (() => void) | undefined;
}

function HighlightCard({ metric, highlights, onRemove }: HighlightCardProps) {
  const view = metricViews[metric];
  const highlight = highlights?.[metric];
  return (
    <Card withBorder p="md" data-metric={metric} role="group" aria-label={view.label}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="sm" c="dimmed">
          {view.label}
        </Text>
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="xs"
            onClick={onRemove}
            aria-label={`Remove ${view.label}`}
          >
            <IconX size={13} />
          </ActionIcon>
        )}
      </Group>
      {highlight ? (
        <Stack gap={2}>
          <Text fz={24} fw={600} lh={1.2} data-testid={`highlight-${metric}`}>
            {view.format(highlight.total)}
          </Text>
          <Text size="xs" c={moods[changeMood(highlight, view.more)]}>
            {formatChange(highlight.change_percent)}{' '}
            <Text span inherit c="dimmed">
              against the days before
            </Text>
          </Text>
        </Stack>
      ) : (
        <Skeleton height={48} />
      )}
    </Card>
  );
}
