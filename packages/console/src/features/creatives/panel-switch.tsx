import type { CreativeType } from '@bidwell/contract/creative';
import { SegmentedControl } from '@mantine/core';
import { panels } from './panels.ts';

interface PanelSwitchProps {
  value: CreativeType;
  onChange: (type: CreativeType) => void;
  countOf: (type: CreativeType) => number;
}

/** Images, Native, Playable or Videos, with how many there are. */
export function PanelSwitch({ value, onChange, countOf }: PanelSwitchProps) {
  return (
    <SegmentedControl
      aria-label="Type of creative"
      value={value}
      onChange={(type) => onChange(type as CreativeType)}
      data={panels.map(({ type, label }) => ({
        value: type,
        label: countOf(type) > 0 ? `${label} ${countOf(type)}` : label,
      }))}
    />
  );
}
