import { Skeleton, Stack } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { formatMoney } from '../../../lib/format/format.ts';
import { optionalMoneyError, moneyError } from '../../../lib/format/money-error.ts';
import { MoneyInput } from '../money-input.tsx';
import { OptionalMoneyInput } from '../optional-money-input.tsx';
import { FormButtons } from '../form-buttons.tsx';
import type { FieldInPlace } from './edited-field.ts';
import { useEditInPlace } from './use-edit-in-place.ts';

const shown = (dollars: number | null, emptyText = '-') => (dollars ? formatMoney(dollars) : emptyText);

export interface InlineMoneyFormProps {
  /** Name of the entity. */
  of: string;
  /** Name of the field, for example Daily budget. */
  label: string;
  /** In dollars; with `emptyText`, null means no amount. */
  field: FieldInPlace<number | null>;
  /** Label for no amount; without it an amount is required. */
  emptyText?: string;
  description?: string;
  /** Dollars. */
  min?: number;
  max: number;
  /** Asks whether the amount is meant; when false, the dialog stays open. */
  confirm?: (dollars: number | null) => Promise<boolean>;
  /** A note about an amount, below the field. */
  note?: (dollars: number | null) => ReactNode;
  onDone: () => void;
}

/** Form of the inline money dialog. */
export function MoneyForm({
  of,
  label,
  field,
  emptyText,
  description,
  min,
  max,
  confirm,
  note,
  onDone,
}: InlineMoneyFormProps) {
  const [fault, setFault] = useState<string>();
  const {
    value: dollars,
    setValue: setDollars,
    save,
    busy,
    error,
    changedElsewhere,
  } = useEditInPlace(field, {
    label,
    textOf: (amount) => shown(amount, emptyText),
    confirm,
    done: (amount) => consoleMessages.amountChanged(label, of, shown(amount, emptyText)),
    onDone,
  });
  const submit = () => {
    const bounds = { max, ...(min !== undefined && { min }) };
    const found =
      emptyText === undefined
        ? moneyError(dollars ?? 0, bounds)
        : optionalMoneyError(dollars, { ...bounds, choice: emptyText });
    setFault(found);
    if (!found) save(dollars);
  };
  const input = {
    label,
    ...(description !== undefined && { description }),
    value: dollars,
    max,
    onChange: setDollars,
    error: fault ?? error,
    autoFocus: true,
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {changedElsewhere}
      <Stack>
        {emptyText === undefined ? (
          <MoneyInput {...input} />
        ) : (
          <OptionalMoneyInput {...input} choice={emptyText} />
        )}
        {note && (
          <Suspense fallback={<Skeleton height={40} />}>
            {note(Number.isNaN(dollars) ? null : dollars)}
          </Suspense>
        )}
        <FormButtons action="Save" onCancel={onDone} busy={busy} />
      </Stack>
    </form>
  );
}
