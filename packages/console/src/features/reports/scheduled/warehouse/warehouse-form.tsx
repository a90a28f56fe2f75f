import type { ReportDestination } from '@bidwell/contract/report-schedules/destination-schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import {
  WAREHOUSE_KINDS,
  type WarehouseExport,
  WarehouseExportInput,
  type WarehouseKind,
} from '@bidwell/contract/warehouse/schema';
import { MultiSelect, Select, Switch } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { saveWarehouseExport } from '../../../../entities/report-schedules/warehouse-queries.ts';
import { DialogForm } from '../../../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../../../ui/form/saved-form.ts';
import { KIND_LABELS } from './warehouse-text.ts';

interface WarehouseFormProps {
  /** The export that is changed; null for a new one. */
  saved: WarehouseExport | null;
  /** The buckets among the destinations, at least one. */
  buckets: readonly ReportDestination[];
  onDone: () => void;
}

interface Values extends Record<string, unknown> {
  destination_uuid: string;
  kinds: WarehouseKind[];
  is_enabled: boolean;
}

const valuesOf = ({ destination_uuid, kinds, is_enabled }: WarehouseExport): Values => ({
  destination_uuid,
  kinds,
  is_enabled,
});

/** Form of the export: its bucket, and the kinds of events. */
export function WarehouseForm({ saved, buckets, onDone }: WarehouseFormProps) {
  const { form, busy, submit } = useSavedForm<Values, void>({
    initialValues: saved
      ? valuesOf(saved)
      : { destination_uuid: buckets[0]!.uuid, kinds: [...WAREHOUSE_KINDS], is_enabled: true },
    validate: schemaResolver(WarehouseExportInput, { sync: true }),
    send: (values) => saveWarehouseExport(WarehouseExportInput.parse(values)),
    done: saved ? screenMessages.warehouseSaved : screenMessages.warehouseBegun,
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      <Select
        label="Bucket"
        withAsterisk
        allowDeselect={false}
        data-autofocus
        data={buckets.map(({ uuid, name }) => ({ value: uuid, label: name }))}
        {...form.getInputProps('destination_uuid')}
      />
      <MultiSelect
        label="Events"
        description="Each kind becomes a table. Spend is the sum over wins, billing notices and impressions."
        withAsterisk
        data={WAREHOUSE_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
        {...form.getInputProps('kinds')}
      />
      {saved && (
        <Switch
          label="Export every hour"
          description="An export that is switched on again goes on where it was switched off."
          {...form.getInputProps('is_enabled', { type: 'checkbox' })}
        />
      )}
      <FormButtons action={saved ? 'Save' : 'Begin the export'} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
