import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { isUnfinishedAmount, readAmount, typedAmount } from '../../lib/format/amount.ts';
import { formatMoney } from '../../lib/format/format.ts';

export interface MoneyInputProps {
  label: string;
  description?: string;
  /** Dollars; null when empty. */
  value: number | null;
  onChange: (dollars: number | null) => void;
  error?: React.ReactNode;
  required?: boolean;
  placeholder?: string;
  /** Dollars; input is capped at it. Without it the form validates the maximum. */
  max?: number;
  /** Focuses the field when a dialog opens. */
  autoFocus?: boolean;
}

/**
 * Dollars with two decimal places, typed or pasted in any common spelling; what is no amount does not change the field. A minus
 * sign stays as typed, so that the form rejects it.
 */
export function MoneyInput({
  value,
  onChange,
  max,
  required = false,
  autoFocus = false,
  ...props
}: MoneyInputProps) {
  // The text as it was typed since the field was focused; both decimal places come back when the focus leaves. A text that
  // changed on focus would lose its selection, and what is typed over it would be added to it.
  const [typed, setTyped] = useState<string | null>(null);
  const isTyped = typed !== null && readTyped(typed) === value;
  const change = (text: string) => {
    const dollars = readTyped(text);
    if (dollars === undefined) return;
    const isCapped = dollars !== null && max !== undefined && dollars > max;
    setTyped(isCapped ? null : typedAmount(text));
    onChange(isCapped ? max : dollars);
  };
  return (
    <TextInput
      {...props}
      inputMode="decimal"
      autoComplete="off"
      // As browsers do for the Tab key, which dialogs handle themselves. A click then moves the cursor.
      onFocusCapture={({ currentTarget }) => currentTarget.select()}
      onSelect={({ currentTarget }) => keepBehindSign(currentTarget)}
      onBlur={() => setTyped(null)}
      value={isTyped ? typed : amountText(value)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      autoFocus={autoFocus}
      withAsterisk={required}
    />
  );
}

/** While a group of thousands is being typed there is no amount yet. */
function readTyped(text: string): number | null | undefined {
  return isUnfinishedAmount(text) ? null : readAmount(text);
}

/** With plain spaces, as they are typed. */
function amountText(dollars: number | null): string {
  return dollars === null ? '' : formatMoney(dollars).replaceAll('\u00a0', ' ');
}

/** Moves the cursor from before the dollar sign behind it, so that Delete removes a digit. */
function keepBehindSign(input: HTMLInputElement): void {
  if (input.selectionEnd === 0 && input.value.startsWith('$')) input.setSelectionRange(1, 1);
}
