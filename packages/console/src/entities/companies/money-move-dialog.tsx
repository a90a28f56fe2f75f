import { MoneyMove } from '@bidwell/contract/operator/schema';
import { Modal, TextInput } from '@mantine/core';
import { type FormErrors, schemaResolver } from '@mantine/form';
import { formatMoney } from '../../lib/format/format.ts';
import { moveMoney } from './queries.ts';
import { CompanySelect } from './company-select.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';

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
    <Modal opened={opened} onClose={onClose} title={`${titles[kind]} ${company?.name ?? 'a company'}`}>
      {opened && <MoneyMoveForm kind={kind} company={company} onDone={onClose} />}
    </Modal>
  );
}

interface MoveValues extends Record<string, unknown> {
  /** Its id. */
  company: string | null;
  /** Dollars. */
  amount: number | null;
  reason: string;
}

const validateMove = schemaResolver(MoneyMove, { sync: true });

function MoneyMoveForm({
  kind,
  company,
  onDone,
}: {
  kind: 'credit' | 'debit';
  company: { uuid: string; name: string } | undefined;
  onDone: () => void;
}) {
  const { form, busy, submit } = useSavedForm<MoveValues>({
    initialValues: { company: company?.uuid ?? null, amount: null, reason: '' },
    validate: (values) => ({
      ...(validateMove(values) as FormErrors),
      ...(values.company === null && { company: 'Choose a company' }),
    }),
    send: (values) => moveMoney(kind, values.company!, MoneyMove.parse(values)),
    done: (_saved, { amount }) => `${kind === 'credit' ? 'Credited' : 'Debited'} ${formatMoney(amount)}`,
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      {!company && <CompanySelect {...form.getInputProps('company')} value={form.values.company} />}
      <MoneyInput
        label="Amount"
        required
        autoFocus={company !== undefined}
        {...form.getInputProps('amount')}
        value={form.values.amount}
      />
      <TextInput
        label="Reason"
        description="The company sees it in its transactions."
        maxLength={200}
        withAsterisk
        {...form.getInputProps('reason')}
      />
      <FormButtons action={titles[kind]} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
