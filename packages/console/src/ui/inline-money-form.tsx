import { Stack } from '@mantine/core';
import { useState } from 'react';
import { formatMoney } from '../lib/format.ts';
import { MoneyInput } from './form-fields.tsx';
import { FormButtons } from './form-buttons.tsx';

export interface InlineMoneyFormProps {
  /** What is edited: Daily budget. */
  label: string;
  /** Dollars; null and, with `emptyText`, 0 stand for none. */
  value: number | null;
  /** What none means; without it a value is required. */
  emptyText?: string;
  description?: string;
  /** Dollars. */
  min?: number;
  max: number;
  /** Saves; the dialog stays open and shows the error when it throws. */
  onSave: (dollars: number | null) => Promise<unknown>;
  onDone: () => void;
}

/** What the inline money dialog holds. */
export function MoneyForm({
  label,
  value,
  emptyText,
  description,
  min = 0,
  max,
  onSave,
  onDone,
}: InlineMoneyFormProps) {
  const [dollars, setDollars] = useState(value);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (dollars === null ? emptyText === undefined : dollars < min) {
      return setError(min > 0 ? `Enter at least ${formatMoney(min)}` : 'Enter an amount');
    }
    setBusy(true);
    try {
      await onSave(dollars);
      onDone();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Please try again.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        <MoneyInput
          label={label}
          {...(description !== undefined && { description })}
          {...(emptyText !== undefined && { placeholder: emptyText })}
          value={dollars}
          max={max}
          onChange={setDollars}
          error={error}
          autoFocus
        />
        <FormButtons action="Save" onCancel={onDone} busy={busy} />
      </Stack>
    </form>
  );
}
