import { Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import type { MoneyInputProps } from './form-fields.tsx';
import { MoneyInput } from './form-fields.tsx';

interface OptionalMoneyInputProps extends Omit<MoneyInputProps, 'placeholder' | 'required'> {
  /** What leaving the amount out means: Unlimited. */
  choice: string;
}

/**
 * Dollars, or a choice by name that there is no amount: that is null. A field that was emptied holds 0, which is neither,
 * so that nobody makes a budget unlimited by deleting its figure.
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
