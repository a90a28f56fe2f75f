import { Button, Pill, PillGroup } from '@mantine/core';
import { useState } from 'react';

interface ChipListProps {
  value: readonly string[];
  /** What a chip says; the value itself without it. */
  labelOf?: (value: string) => string;
  onRemove: (value: string) => void;
}

/** Chips drawn before a person asks for the others. */
const SHOWN_MAX = 30;
/** Chips drawn at all: thousands of them would freeze the page. */
const DRAWN_MAX = 500;

/** What was chosen, a chip for each that can be taken out. */
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
          // By itself the component hides the button from keyboards and screen readers.
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
          {whole ? `Show fewer${left > 0 ? ` (${left} are not drawn)` : ''}` : `and ${left} more`}
        </Button>
      )}
    </PillGroup>
  );
}
