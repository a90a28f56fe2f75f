import type { ExchangeHealth } from '@bidwell/contract/operator/exchange-health';
import { ActionIcon, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoment } from '../../lib/format/format.ts';
import { Muted } from '../../ui/layout/text.tsx';
import { Segments } from '../../ui/layout/segments.tsx';

const periods = [
  { value: '60', label: '1 hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: '24 hours' },
] as const;
type Minutes = (typeof periods)[number]['value'];
const MINUTE_MS = 60_000;
/** A step that ends this part of a period before now shows the live figures. */
const LIVE_PART = 0.1;
/** Counts are stored for seven days. */
const RETENTION_MS = 7 * 24 * 60 * MINUTE_MS;

/** The period in words. */
export function periodText(minutes: number, until: string | undefined): string {
  const length = periods.find(({ value }) => Number(value) === minutes)?.label ?? `${minutes} minutes`;
  return until === undefined
    ? `Last ${minutes === 60 ? 'hour' : length}`
    : `${length} until ${formatMoment(until)}`;
}

interface HealthPeriodProps {
  minutes: number;
  until: string | undefined;
  health: ExchangeHealth | undefined;
}

/** The choice of the period: its length, and steps to earlier and later ones. */
export function HealthPeriod({ minutes, until, health }: HealthPeriodProps) {
  const [openedMs] = useState(() => Date.now());
  const navigate = useNavigate();
  const show = (search: { minutes?: number; until?: string | undefined }) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, ...search })) as never,
      replace: true,
      resetScroll: false,
    });
  const lengthMs = minutes * MINUTE_MS;
  const moveBy = (ms: number) => {
    const nowMs = Date.now();
    const endMs = (until === undefined ? nowMs : Date.parse(until)) + ms;
    show({ until: endMs > nowMs - LIVE_PART * lengthMs ? undefined : new Date(endMs).toISOString() });
  };
  const isOldest = until !== undefined && Date.parse(until) - lengthMs <= openedMs - RETENTION_MS;
  return (
    <Group justify="space-between" gap="xs">
      <Muted>
        {health && `${formatMoment(health.from)} to ${formatMoment(until ?? health.until)}`}
        {until === undefined && ', refreshed every 10 seconds'}
      </Muted>
      <Group gap="xs" wrap="nowrap">
        <ActionIcon
          variant="default"
          size="md"
          aria-label="Earlier"
          disabled={isOldest}
          onClick={() => moveBy(-lengthMs)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="md"
          aria-label="Later"
          disabled={until === undefined}
          onClick={() => moveBy(lengthMs)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
        <Segments
          small
          label="Period"
          value={String(minutes) as Minutes}
          onChange={(value) => show({ minutes: Number(value) })}
          options={periods}
        />
      </Group>
    </Group>
  );
}
