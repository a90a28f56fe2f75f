import { Alert, Checkbox, Group, Modal, NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { audiencesQuery } from '../../../entities/audiences/queries.ts';
import { adsetsQuery } from '../../../entities/campaigns/adset-queries.ts';
import { knownData, mapped, useKnown, useLoadable } from '../../../lib/loadable.ts';
import { Choice } from '../../../ui/form/choice.tsx';
import { DialogForm } from '../../../ui/form/dialog-form.tsx';
import { FoldedFields } from '../../../ui/form/folded-fields.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { pickerProps } from '../../../ui/form/picker/picker-options.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import {
  type AmountChange,
  type BulkEdit,
  type BulkField,
  type CopiedSetting,
  bulkFields,
  copiedSettings,
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

/** Changes bids, budgets, status and settings of many campaigns and ad sets; nothing is saved before its preview. */
export function BulkEditDialog({ opened, selected, onClose }: BulkEditDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Edit bids, budgets, status and settings" size="lg">
      {opened && <BulkEditSteps selected={selected} onClose={onClose} />}
    </Modal>
  );
}

function BulkEditSteps({ selected, onClose }: Omit<BulkEditDialogProps, 'opened'>) {
  const [edit, setEdit] = useState(noEdit);
  const [isPreviewed, setIsPreviewed] = useState(false);
  // The rows at the time of the preview: a save in the meantime must not change the confirmed edit.
  const [planned, setPlanned] = useState(() => planRows([], noEdit));
  const audiences = useKnown({ ...audiencesQuery, enabled: edit.copied.from !== null });
  if (isPreviewed)
    return <BulkPreview planned={planned} onBack={() => setIsPreviewed(false)} onClose={onClose} />;
  return (
    <BulkEditForm
      edit={edit}
      onChange={setEdit}
      onCancel={onClose}
      onPreview={() => {
        setPlanned(planRows(selected, edit, new Map(audiences?.map(({ uuid, name }) => [uuid, name]))));
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
      <Muted>
        Ad sets have the bids, budgets and settings: if you select a campaign, all of its ad sets change.
      </Muted>
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
      <CopiedFields
        copied={edit.copied}
        errors={errors}
        onChange={(copied) => change({ copied: { ...edit.copied, ...copied } })}
      />
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

interface CopiedFieldsProps {
  copied: BulkEdit['copied'];
  errors: Readonly<Record<string, string>>;
  onChange: (copied: Partial<BulkEdit['copied']>) => void;
}

/** The ad set from which settings are copied, and which ones. */
function CopiedFields({ copied: { from, settings }, errors, onChange }: CopiedFieldsProps) {
  const adsets = useLoadable(adsetsQuery);
  const options = mapped(adsets, (known) =>
    known
      .filter(({ archived_at: archivedAt }) => archivedAt === null)
      .map(({ uuid, name, campaign }) => ({
        value: uuid,
        label: campaign ? `${name} (${campaign.name})` : name,
      })),
  );
  const known = knownData(adsets);
  return (
    <FoldedFields label="Copy settings of an ad set" isUsed={from !== null || settings.length > 0}>
      <Choice
        label="Ad set"
        searchable
        value={from?.uuid ?? null}
        error={errors['from']}
        onChange={(uuid) => {
          const chosen = known?.find((adset) => adset.uuid === uuid);
          if (chosen) onChange({ from: chosen });
        }}
        {...pickerProps(options, { emptyText: 'There is no ad set' }, from ? [from.uuid] : [])}
      />
      <Checkbox.Group
        label="Settings"
        description="They replace the settings of the selected ad sets"
        value={[...settings]}
        error={errors['settings']}
        onChange={(chosen) => onChange({ settings: chosen as CopiedSetting[] })}
      >
        <Group gap="sm" mt={6}>
          {(Object.keys(copiedSettings) as CopiedSetting[]).map((setting) => (
            <Checkbox key={setting} value={setting} label={copiedSettings[setting].label} />
          ))}
        </Group>
      </Checkbox.Group>
    </FoldedFields>
  );
}
