import { Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import type { MoneyInputProps } from './money-input.tsx';
import { MoneyInput } from './money-input.tsx';

interface OptionalMoneyInputProps extends Omit<MoneyInputProps, 'placeholder' | 'required'> {
  /** Label of the checkbox for no amount, for example Unlimited. */
  choice: string;
}

/**
 * Dollars, or null when the checkbox for no amount is checked. An emptied field has the value 0, which is invalid, so
 * that deleting the figure cannot make a budget unlimited by accident.
 */
export function OptionalMoneyInput({ choice, value, onChange, ...props }: OptionalMoneyInputProps) {
  const [isEmpty, setEmpty] = useState(false);
  const change = (dollars: number | null) => {
    setEmpty(dollars === null);
    onChange(dollars ?? 0);
  };
  return (
    <Stack gap={6}>
      <MoneyInput
        {...props}
        placeholder={value === null ? choice : '$0.00'}
        value={isEmpty ? null : value}
        onChange={change}
      />
      <Checkbox
        size="xs"
        label={choice}
        aria-label={`${props.label}: ${choice.toLowerCase()}`}
        checked={value === null}
        onChange={({ currentTarget }) => {
          setEmpty(true);
          onChange(currentTarget.checked ? null : 0);
        }}
      />
    </Stack>
  );
}
