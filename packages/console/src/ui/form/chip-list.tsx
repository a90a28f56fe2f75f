import { Button, Pill, PillGroup } from '@mantine/core';
import { useState } from 'react';

interface ChipListProps {
  value: readonly string[];
  /** The text of a chip; the value itself by default. */
  labelOf?: (value: string) => string;
  onRemove: (value: string) => void;
}

/** Chips shown before the list is expanded. */
const SHOWN_MAX = 30;
/** Maximum number of chips rendered: thousands would freeze the page. */
const DRAWN_MAX = 500;

/** The selected values as chips with remove buttons. */
export function ChipList({ value, labelOf = (one) => one, onRemove }: ChipListProps) {
  const [whole, setWhole] = useState(false);
  const shown = value.slice(0, whole ? DRAWN_MAX : SHOWN_MAX);
  const left = value.length - shown.length;
  return (
    <PillGroup>
      {shown.map((one) => (
        <Pill
          key={one}
          withRemoveButton
          onRemove={() => onRemove(one)}
          // Mantine hides the button from keyboards and screen readers by default.
          removeButtonProps={{ 'aria-label': `Remove ${labelOf(one)}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          {labelOf(one)}
        </Pill>
      ))}
      {value.length > SHOWN_MAX && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          onClick={() => setWhole(!whole)}
          aria-expanded={whole}
        >
          {whole ? `Show fewer${left > 0 ? ` (${left} not shown)` : ''}` : `and ${left} more`}
        </Button>
      )}
    </PillGroup>
  );
}
