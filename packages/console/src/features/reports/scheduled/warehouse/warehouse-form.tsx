import type { ReportDestination } from '@bidwell/contract/report-schedules/destination-schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import {
  WAREHOUSE_KINDS,
  type SavedWarehouseExport,
  WarehouseExportInput,
  type WarehouseKind,
  warehouseExportVersion,
} from '@bidwell/contract/warehouse/schema';
import { MultiSelect, Select, Switch } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import {
  saveWarehouseExport,
  warehouseExportQuery,
} from '../../../../entities/report-schedules/warehouse-queries.ts';
import { readAgain } from '../../../../lib/api/query-client.ts';
import { DialogForm } from '../../../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../../../ui/form/saved-form.ts';
import { KIND_LABELS } from './warehouse-text.ts';

interface WarehouseFormProps {
  /** The export that is changed, or none yet. */
  saved: SavedWarehouseExport;
  /** The buckets among the destinations, at least one. */
  buckets: readonly ReportDestination[];
  onDone: () => void;
}

interface Values extends Record<string, unknown> {
  destination_uuid: string;
  kinds: WarehouseKind[];
  is_enabled: boolean;
}

/** Form of the export: its bucket, and the kinds of events. */
export function WarehouseForm({ saved, buckets, onDone }: WarehouseFormProps) {
  const isNew = saved.export === null;
  const valuesOf = ({ export: exported }: SavedWarehouseExport): Values => ({
    destination_uuid: exported?.destination_uuid ?? buckets[0]!.uuid,
    kinds: [...(exported?.kinds ?? WAREHOUSE_KINDS)],
    is_enabled: exported?.is_enabled ?? true,
  });
  const { form, busy, submit, changedElsewhere } = useSavedForm<Values, void, SavedWarehouseExport>({
    initialValues: valuesOf(saved),
    entity: {
      saved,
      valuesOf,
      version: warehouseExportVersion,
      reload: () => readAgain(warehouseExportQuery),
      nameOf: (_field, value) => buckets.find(({ uuid }) => uuid === value)?.name,
    },
    validate: schemaResolver(WarehouseExportInput, { sync: true }),
    send: (values, version) => saveWarehouseExport(WarehouseExportInput.parse(values), version),
    done: isNew ? screenMessages.warehouseBegun : screenMessages.warehouseSaved,
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
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
      {!isNew && (
        <Switch
          label="Export every hour"
          description="An export that is switched on again goes on where it was switched off."
          {...form.getInputProps('is_enabled', { type: 'checkbox' })}
        />
      )}
      <FormButtons action={isNew ? 'Begin the export' : 'Save'} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
