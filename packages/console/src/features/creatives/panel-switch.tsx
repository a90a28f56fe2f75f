import type { CreativeType } from '@bidwell/contract/creative';
import { panels } from './panels.ts';
import { Segments } from '../../ui/segments.tsx';

interface PanelSwitchProps {
  value: CreativeType;
  onChange: (type: CreativeType) => void;
  countOf: (type: CreativeType) => number;
}

/** Switches between the types of creatives, with their counts. */
export function PanelSwitch({ value, onChange, countOf }: PanelSwitchProps) {
  return (
    <Segments
      label="Type of creative"
      value={value}
      onChange={onChange}
      options={panels.map(({ type, label }) => ({
        value: type,
        label: countOf(type) > 0 ? `${label} ${countOf(type)}` : label,
      }))}
    />
  );
}
