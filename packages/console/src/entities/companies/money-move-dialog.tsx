import { MoneyMove } from '@bidwell/contract/operator/schema';
import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { formatMoney } from '../../lib/format/format.ts';
import { moveMoney } from './queries.ts';
import { CompanySelect } from './company-select.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useSave } from '../../ui/form/use-save.ts';

interface MoneyMoveDialogProps {
  opened: boolean;
  kind: 'credit' | 'debit';
  /** The company; without it the dialog asks for one. */
  company?: { uuid: string; name: string };
  onClose: () => void;
}

const titles = { credit: 'Credit', debit: 'Debit' } as const;

/** Dialog of an operator that credits or debits a company, with a reason that the company reads. */
export function MoneyMoveDialog({ opened, kind, company, onClose }: MoneyMoveDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`${titles[kind]} ${company?.name ?? 'a company'}`}
      centered
    >
      {opened && <MoneyMoveForm kind={kind} company={company} onDone={onClose} />}
    </Modal>
  );
}

function MoneyMoveForm({
  kind,
  company,
  onDone,
}: {
  kind: 'credit' | 'debit';
  company: { uuid: string; name: string } | undefined;
  onDone: () => void;
}) {
  const [uuid, setUuid] = useState(company?.uuid ?? null);
  const [amount, setAmount] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const { save, busy } = useSave({
    send: ({ to, move }: { to: string; move: MoneyMove }) => moveMoney(kind, to, move),
    done: (_saved, { move }) => `${kind === 'credit' ? 'Credited' : 'Debited'} ${formatMoney(move.amount)}`,
    onSaved: onDone,
    onFailure: (error) => error instanceof ApiError && setErrors(error.fields),
  });
  const submit = () => {
    const parsed = MoneyMove.safeParse({ amount, reason });
    const found = Object.fromEntries(
      (parsed.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
    );
    setErrors({ ...found, ...(uuid === null && { company: 'Choose a company' }) });
    if (parsed.success && uuid !== null) save({ to: uuid, move: parsed.data });
  };
  return (
    <DialogForm onSubmit={submit}>
      {!company && <CompanySelect value={uuid} onChange={setUuid} error={errors['company']} />}
      <MoneyInput
        label="Amount"
        value={amount}
        onChange={setAmount}
        error={errors['amount']}
        required
        autoFocus={company !== undefined}
      />
      <TextInput
        label="Reason"
        description="The company reads it in its transactions."
        value={reason}
        maxLength={200}
        error={errors['reason']}
        withAsterisk
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <FormButtons action={titles[kind]} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
