import { TopUpInput } from '@bidwell/contract/finance/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Paper, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useLoadable } from '../../lib/loadable.ts';
import { paymentInstructionsQuery, requestTopUp } from '../../entities/finance/queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useTyped } from '../../ui/form/unsaved-input.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { Muted } from '../../ui/layout/text.tsx';

/** Requests a top-up from the operator, who says how to pay. */
export function TopUpForm({ onSent, onCancel }: { onSent: () => void; onCancel: () => void }) {
  const instructions = useLoadable(paymentInstructionsQuery);
  const [amount, setAmount] = useTyped<number | null>('Amount', null);
  const [error, setError] = useState<string>();
  const { save, busy } = useSave({ send: requestTopUp, done: screenMessages.topUpSent, onSaved: onSent });
  const submit = () => {
    const parsed = TopUpInput.safeParse({ amount });
    setError(parsed.success ? undefined : parsed.error.issues[0]?.message);
    if (parsed.success) save(parsed.data.amount);
  };
  return (
    <DialogForm onSubmit={submit}>
      <FigureFrame figures={instructions} what="How to pay" skeleton={<Skeleton height={56} />}>
        {(known) =>
          known !== '' && (
            <Paper withBorder p="sm" aria-label="How to pay" role="note">
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {known}
              </Text>
            </Paper>
          )
        }
      </FigureFrame>
      <Muted>Your request shows as pending until the operator of this platform confirms the payment.</Muted>
      <MoneyInput label="Amount" value={amount} onChange={setAmount} error={error} required />
      <FormButtons action="Send request" onCancel={onCancel} busy={busy} />
    </DialogForm>
  );
}
