import type { Highlights } from '@bidwell/contract/reports/schema';
import type { HighlightMetric } from '@bidwell/contract/reports/metrics';
import { Card, Group, Stack, Text } from '@mantine/core';
import { IconGripVertical, IconX } from '@tabler/icons-react';
import type { CSSProperties, HTMLAttributes, Ref } from 'react';
import type { ComparisonWords } from '../../../lib/format/comparison-text.ts';
import { type Unknown, isUnknown } from '../../../lib/loadable.ts';
import { formatChangeFrom } from '../../../lib/format/format.ts';
import { SkeletonBar } from '../../../ui/chart/skeleton-bar.tsx';
import { IconButton } from '../../../ui/layout/buttons.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import { changeTone, metricViews } from './highlights.ts';
import classes from './highlight-card.module.css';

/** The props that make a card draggable. */
interface CardDragging {
  ref: Ref<HTMLDivElement>;
  style: CSSProperties;
  isDragging: boolean;
  /** Of the handle. */
  handle: HTMLAttributes<HTMLButtonElement> & { ref: Ref<HTMLButtonElement> };
}

export interface HighlightCardProps {
  metric: HighlightMetric;
  highlights: Highlights | Unknown;
  /** The words for the compared period. */
  comparison: ComparisonWords;
  /** Undefined for the last card, which cannot be removed. */
  onRemove: (() => void) | undefined;
  /** Absent until the code for dragging is loaded. */
  dragging?: CardDragging;
}

/**
 * A metric's total and its change against the previous period. Can be dragged by its handle, also with the keyboard.
 */
export function HighlightCard({ metric, highlights, comparison, onRemove, dragging }: HighlightCardProps) {
  const view = metricViews[metric];
  const highlight = isUnknown(highlights) ? highlights : highlights[metric];
  return (
    <Card
      ref={dragging?.ref}
      withBorder
      p="md"
      data-metric={metric}
      data-dragging={dragging?.isDragging || undefined}
      role="group"
      aria-label={view.label}
      className={classes['card']}
      style={dragging?.style ?? {}}
    >
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Muted>{view.label}</Muted>
        <Group gap={2} wrap="nowrap" className={classes['tools']}>
          <IconButton
            size="sm"
            className={classes['handle']}
            {...dragging?.handle}
            aria-label={`Reorder ${view.label}`}
          >
            <IconGripVertical size={15} />
          </IconButton>
          {onRemove && (
            <IconButton size="sm" onClick={onRemove} aria-label={`Remove ${view.label}`}>
              <IconX size={15} />
            </IconButton>
          )}
        </Group>
      </Group>
      {highlight === 'loading' ? (
        <Stack gap={2}>
          <Text fz={24} lh={1.2}>
            <SkeletonBar width={120} />
          </Text>
          <Text size="xs">
            <SkeletonBar width={150} />
          </Text>
          <Text size="xs">
            <SkeletonBar width={150} />
          </Text>
        </Stack>
      ) : highlight === 'failed' ? (
        <Text fz={24} fw={600} h={66} data-testid={`highlight-${metric}`}>
          –
        </Text>
      ) : (
        <Stack gap={2} data-figure>
          <Text fz={24} fw={600} lh={1.2} data-testid={`highlight-${metric}`}>
            {view.format(highlight.total)}
          </Text>
          <Text size="xs" title={comparison.about}>
            {highlight.previous !== null && (
              <span className={classes[changeTone(highlight, view.more)]}>
                {formatChangeFrom(highlight.previous, highlight.total, highlight.change_percent)}{' '}
              </span>
            )}
            <Text span inherit c="dimmed">
              vs {view.format(highlight.previous)}
            </Text>{' '}
            <Text span inherit c="dimmed" className={classes['when']}>
              {comparison.when}
            </Text>
          </Text>
        </Stack>
      )}
    </Card>
  );
}
