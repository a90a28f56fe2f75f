import { ActionIcon } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChartLine } from '@tabler/icons-react';
import { LazyTooltip } from '../../../ui/layout/lazy-tooltip.tsx';

/** Whether the chart above the campaigns is shown, stored in this browser. */
export function useChartShown() {
  return useLocalStorage({
    key: 'bidwell.chart-shown',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
}

interface ChartToggleProps {
  isShown: boolean;
  onChange: (isShown: boolean) => void;
}

/** Shows or hides the chart; without it ten campaigns fit on a laptop's screen. */
export function ChartToggle({ isShown, onChange }: ChartToggleProps) {
  const label = isShown ? 'Hide chart' : 'Show chart';
  return (
    <LazyTooltip label={label}>
      <ActionIcon
        variant={isShown ? 'light' : 'default'}
        size={36}
        aria-label={label}
        onClick={() => onChange(!isShown)}
      >
        <IconChartLine size={18} />
      </ActionIcon>
    </LazyTooltip>
  );
}
