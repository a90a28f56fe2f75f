import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { amountFault, isUnfinishedAmount, readAmount, typedAmount } from '../../lib/format/amount.ts';
import { formatMoney } from '../../lib/format/format.ts';

export interface MoneyInputProps {
  label: string;
  description?: string;
  /** Dollars; null when empty, NaN where the text is no amount, which no form saves. */
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
 * Dollars with two decimal places, typed or pasted in any common spelling. A text that is not an amount stays, with an error that
 * lists the allowed spellings. A minus sign stays as typed, so that the form rejects it.
 */
export function MoneyInput({
  value,
  onChange,
  max,
  required = false,
  autoFocus = false,
  error,
  ...props
}: MoneyInputProps) {
  // The text as it was typed since the field was focused; both decimal places come back when the focus leaves. A text that
  // changed
  // on focus would lose its selection, and typed characters would be added to it.
  const [typed, setTyped] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  const isTyped = typed !== null && Object.is(readTyped(typed), value);
  const fault = isTyped ? amountFault(typed) : undefined;
  // A group of thousands is not at fault while it is typed.
  const shownFault = isTyped && isFocused && isUnfinishedAmount(typed) ? undefined : fault;
  const change = (text: string) => {
    const dollars = readTyped(text);
    const isCapped = dollars !== null && max !== undefined && dollars > max;
    if (isCapped) setTyped(null);
    else setTyped(Number.isNaN(dollars) ? text : typedAmount(text));
    onChange(isCapped ? max : dollars);
  };
  return (
    <TextInput
      {...props}
      inputMode="decimal"
      autoComplete="off"
      // As browsers do for the Tab key, which dialogs handle themselves. A click then moves the cursor.
      onFocusCapture={({ currentTarget }) => {
        setFocused(true);
        currentTarget.select();
      }}
      onSelect={({ currentTarget }) => keepBehindSign(currentTarget)}
      onBlur={() => {
        setFocused(false);
        if (!fault) setTyped(null);
      }}
      error={shownFault ? faultTexts[shownFault] : error}
      value={isTyped ? typed : amountText(value)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      autoFocus={autoFocus}
      withAsterisk={required}
    />
  );
}

const faultTexts = {
  unreadable: consoleMessages.amountUnreadable,
  below_cent: consoleMessages.amountMin(formatMoney(limits.amountMinDollars)),
};

/** NaN for a text that is no amount, or none yet, while a group of thousands is being typed. */
function readTyped(text: string): number | null {
  return amountFault(text) ? Number.NaN : (readAmount(text) ?? null);
}

/** With plain spaces, as they are typed. */
function amountText(dollars: number | null): string {
  return dollars === null || Number.isNaN(dollars) ? '' : formatMoney(dollars).replaceAll('\u00a0', ' ');
}

/** Moves the cursor from before the dollar sign behind it, so that Delete removes a digit. */
function keepBehindSign(input: HTMLInputElement): void {
  if (input.selectionEnd === 0 && input.value.startsWith('$')) input.setSelectionRange(1, 1);
}
