import { Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import { MoneyInput, type MoneyInputProps } from './money-input.tsx';

interface OptionalMoneyInputProps extends Omit<MoneyInputProps, 'placeholder' | 'required'> {
  /** Label of the checkbox for no amount, for example Unlimited. */
  choice: string;
}

/**
 * Dollars, or null when the checkbox for no amount is checked. An emptied field and one whose text is no
 * amount have the value 0, which is invalid, so that neither can make a budget unlimited by accident, also not in a draft.
 */
export function OptionalMoneyInput({ choice, value, onChange, ...props }: OptionalMoneyInputProps) {
  // What the field has where the form has 0.
  const [inPlaceOfZero, setInPlaceOfZero] = useState<number | null>(0);
  const change = (dollars: number | null) => {
    setInPlaceOfZero(dollars === null || Number.isNaN(dollars) ? dollars : 0);
    onChange(dollars || 0);
  };
  return (
    <Stack gap={6}>
      <MoneyInput
        {...props}
        placeholder={value === null ? choice : '$0.00'}
        value={value === 0 ? inPlaceOfZero : value}
        onChange={change}
      />
      <Checkbox
        size="xs"
        label={choice}
        aria-label={`${props.label}: ${choice.toLowerCase()}`}
        checked={value === null}
        onChange={({ currentTarget }) => {
          setInPlaceOfZero(null);
          onChange(currentTarget.checked ? null : 0);
        }}
      />
    </Stack>
  );
}
