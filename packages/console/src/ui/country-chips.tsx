import { Button, Pill, PillGroup } from '@mantine/core';
import { useState } from 'react';

interface CountryChipsProps {
  /** Two-letter codes. */
  value: readonly string[];
  nameOf: (code: string) => string;
  onRemove: (code: string) => void;
}

/** Chips drawn before a person asks for the others. */
const SHOWN_MAX = 30;

/** The chosen countries, each of which can be taken out. */
export function CountryChips({ value, nameOf, onRemove }: CountryChipsProps) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? value : value.slice(0, SHOWN_MAX);
  return (
    <PillGroup>
      {shown.map((code) => (
        <Pill
          key={code}
          withRemoveButton
          onRemove={() => onRemove(code)}
          removeButtonProps={{ 'aria-label': `Remove ${nameOf(code)}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          {nameOf(code)} ({code})
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
          {whole ? 'Show fewer' : `and ${value.length - SHOWN_MAX} more`}
        </Button>
      )}
    </PillGroup>
  );
}
