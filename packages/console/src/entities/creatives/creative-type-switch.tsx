import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { type Unknown, isUnknown } from '../../lib/loadable.ts';
import { Segments } from '../../ui/layout/segments.tsx';

/** Display names of the types of creatives, in their order on the screen. */
export const creativeTypeLabels = {
  Banner: 'Images',
  Native: 'Native',
  Playable: 'Playable',
  Video: 'Videos',
} as const satisfies Record<CreativeType, string>;

const types = Object.keys(creativeTypeLabels) as CreativeType[];

interface CreativeTypeSwitchProps {
  value: CreativeType;
  onChange: (type: CreativeType) => void;
  /** Number shown behind the name of a type; nothing for 0, and while it is not known. */
  countOf: (type: CreativeType) => number | Unknown;
}

/** Switches between the types of creatives, with their counts. */
export function CreativeTypeSwitch({ value, onChange, countOf }: CreativeTypeSwitchProps) {
  return (
    <Segments
      label="Type of creative"
      value={value}
      onChange={onChange}
      options={types.map((type) => {
        const count = countOf(type);
        return {
          value: type,
          label: creativeTypeLabels[type] + (!isUnknown(count) && count > 0 ? ` ${count}` : ''),
        };
      })}
    />
  );
}
