import { Skeleton, Stack } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { formatMoney } from '../../../lib/format/format.ts';
import { optionalMoneyError, moneyError } from '../../../lib/format/money-error.ts';
import { MoneyInput } from '../money-input.tsx';
import { OptionalMoneyInput } from '../optional-money-input.tsx';
import { FormButtons } from '../form-buttons.tsx';
import { toastUndo } from '../../layout/undo-toast.tsx';
import { useSave } from '../use-save.ts';

const shown = (dollars: number | null, emptyText = '-') => (dollars ? formatMoney(dollars) : emptyText);

export interface InlineMoneyFormProps {
  /** Name of the entity. */
  of: string;
  /** What is edited, for example Daily budget. */
  label: string;
  /** Dollars; with `emptyText`, null means no amount. */
  value: number | null;
  /** Label for no amount; without it an amount is required. */
  emptyText?: string;
  description?: string;
  /** Dollars. */
  min?: number;
  max: number;
  /** Saves the amount; when it throws, the dialog stays open and shows the error, until the user or `close` closes it. */
  onSave: (dollars: number | null, close: () => void) => Promise<unknown>;
  /** Reads whether the server has this amount now: an undo replaces no other. */
  isPresent: (dollars: number | null) => Promise<boolean>;
  /** Asks whether the amount is meant; when false, the dialog stays open. */
  confirm?: (dollars: number | null) => Promise<boolean>;
  /** What to know about an amount, below the field. */
  note?: (dollars: number | null) => ReactNode;
  onDone: () => void;
}

/** Form of the inline money dialog. */
export function MoneyForm({
  of,
  label,
  value,
  emptyText,
  description,
  min,
  max,
  onSave,
  isPresent,
  confirm,
  note,
  onDone,
}: InlineMoneyFormProps) {
  const [dollars, setDollars] = useState(emptyText === undefined ? value : value || null);
  const [fault, setFault] = useState<string>();
  const { save, busy, error } = useSave({
    confirm,
    send: (changed) => onSave(changed, onDone),
    onSaved: (_saved, changed: number | null) => {
      onDone();
      if (changed !== value)
        toastUndo(consoleMessages.amountChanged(label, of, shown(changed, emptyText)), {
          items: [changed],
          readUnchanged: async () => ((await isPresent(changed)) ? [changed] : []),
          restore: async () => onSave(value, onDone),
        });
    },
    shownInPlace: true,
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
  const field = {
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
      <Stack>
        {emptyText === undefined ? (
          <MoneyInput {...field} />
        ) : (
          <OptionalMoneyInput {...field} choice={emptyText} />
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
