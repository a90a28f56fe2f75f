import { Alert, Modal, NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import {
  type AmountChange,
  type BulkEdit,
  type BulkField,
  bulkFields,
  editErrors,
  noEdit,
  planRows,
} from './bulk-edit.ts';
import classes from './bulk-edit.module.css';
import { BulkPreview } from './bulk-preview.tsx';
import type { TreeRow } from '../table/tree-rows.ts';

interface BulkEditDialogProps {
  opened: boolean;
  selected: readonly TreeRow[];
  onClose: () => void;
}

/** Changes bids, budgets and status of many campaigns and ad sets; nothing is saved before its preview. */
export function BulkEditDialog({ opened, selected, onClose }: BulkEditDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Edit bids, budgets and status" size="lg">
      {opened && <BulkEditSteps selected={selected} onClose={onClose} />}
    </Modal>
  );
}

function BulkEditSteps({ selected, onClose }: Omit<BulkEditDialogProps, 'opened'>) {
  const [edit, setEdit] = useState(noEdit);
  const [isPreviewed, setIsPreviewed] = useState(false);
  // The rows at the time of the preview: a save in the meantime must not change the confirmed edit.
  const [planned, setPlanned] = useState(() => planRows([], noEdit));
  if (isPreviewed)
    return <BulkPreview planned={planned} onBack={() => setIsPreviewed(false)} onClose={onClose} />;
  return (
    <BulkEditForm
      edit={edit}
      onChange={setEdit}
      onCancel={onClose}
      onPreview={() => {
        setPlanned(planRows(selected, edit));
        setIsPreviewed(true);
      }}
    />
  );
}

interface BulkEditFormProps {
  edit: BulkEdit;
  onChange: (edit: BulkEdit) => void;
  onPreview: () => void;
  onCancel: () => void;
}

function BulkEditForm({ edit, onChange, onPreview, onCancel }: BulkEditFormProps) {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const submit = () => {
    const found = editErrors(edit);
    setErrors(found);
    if (Object.keys(found).length === 0) onPreview();
  };
  const change = (changed: Partial<BulkEdit>) => {
    setErrors({});
    onChange({ ...edit, ...changed });
  };
  return (
    <DialogForm onSubmit={submit}>
      <Muted>Ad sets have the bids and budgets: if you select a campaign, all of its ad sets change.</Muted>
      {errors['form'] && (
        <Alert color="red" role="alert">
          {errors['form']}
        </Alert>
      )}
      <NativeSelect
        label="Status"
        data-autofocus
        value={edit.status}
        onChange={({ currentTarget }) => change({ status: currentTarget.value as BulkEdit['status'] })}
        data={[
          { value: 'keep', label: 'Keep' },
          { value: 'Active', label: 'Start' },
          { value: 'Paused', label: 'Pause' },
        ]}
      />
      {(Object.keys(bulkFields) as BulkField[]).map((field) => (
        <AmountFields
          key={field}
          field={field}
          change={edit.amounts[field]}
          error={errors[field]}
          onChange={(amount) => change({ amounts: { ...edit.amounts, [field]: amount } })}
        />
      ))}
      <FormButtons action="Preview changes" onCancel={onCancel} busy={false} />
    </DialogForm>
  );
}

interface AmountFieldsProps {
  field: BulkField;
  change: AmountChange;
  error: string | undefined;
  onChange: (change: AmountChange) => void;
}

function AmountFields({ field, change, error, onChange }: AmountFieldsProps) {
  const { label, none } = bulkFields[field];
  const { how, amount } = change;
  return (
    <div className={classes['amount']}>
      <NativeSelect
        label={label}
        value={how}
        onChange={({ currentTarget }) =>
          onChange({ how: currentTarget.value as AmountChange['how'], amount: null })
        }
        data={[
          { value: 'keep', label: 'Keep' },
          { value: 'set', label: 'Set to' },
          { value: 'raise', label: 'Raise by percent' },
          { value: 'lower', label: 'Lower by percent' },
          ...(none === undefined ? [] : [{ value: 'clear', label: none }]),
        ]}
      />
      {how === 'set' && (
        <MoneyInput
          label={`New ${label}`}
          value={amount}
          error={error}
          onChange={(dollars) => onChange({ how, amount: dollars })}
        />
      )}
      {(how === 'raise' || how === 'lower') && (
        <NumberInput
          label={`${label}, percent`}
          value={amount ?? ''}
          error={error}
          suffix="%"
          decimalScale={2}
          onChange={(typed) => onChange({ how, amount: typeof typed === 'number' ? typed : null })}
        />
      )}
    </div>
  );
}
