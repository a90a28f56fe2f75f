import type { Change, ChangedField, ListedChange } from '@bidwell/contract/changes/schema';
import { fieldLabel } from '@bidwell/contract/text/field-label';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { isStartOrPause } from '@bidwell/contract/history/schema';
import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconArrowBackUp } from '@tabler/icons-react';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { kindOf, valueFields } from './change-values.ts';
import { undoChange } from './queries.ts';
import { viewing } from '../../lib/api/viewing.ts';
import { ChangedFields } from './changed-fields.tsx';
import { useSave } from '../../ui/form/use-save.ts';

/** Undoes a change after a confirmation that shows what will be set. Renders nothing if there is nothing to undo. */
export function UndoButton({ change }: { change: ListedChange }) {
  const { save: undo, busy } = useSave({ send: () => undoChange(change.uuid), done: consoleMessages.undone });
  if (viewing || !change.can_undo) return null;
  const confirmUndo = () =>
    modals.openConfirmModal({
      title: 'Undo this change?',
      children: <Preview change={change} />,
      labels: { confirm: 'Undo the change', cancel: 'Cancel' },
      onConfirm: () => undo(),
    });
  return (
    <SecondaryButton
      size="compact-xs"
      style={{ flexShrink: 0 }}
      leftSection={<IconArrowBackUp size={14} />}
      loading={busy}
      onClick={confirmUndo}
      aria-label={`Undo: ${change.entity_name}, ${valueFields(change.fields)
        .map(({ field }) => fieldLabel(field))
        .join(', ')}`}
    >
      Undo
    </SecondaryButton>
  );
}

/** What an undo does. */
function Preview({ change }: { change: Change }) {
  const { action, entity_name: name } = change;
  const fields = valueFields(change.fields);
  if (isStartOrPause(change))
    return (
      <Text size="sm">
        {action === 'start' ? 'Pauses' : 'Starts'} the campaign “{name}”.
      </Text>
    );
  return (
    <Stack gap="xs">
      <Text size="sm">
        Sets {fields.length === 1 ? 'this field' : 'these fields'} of the {kindOf(change)} “{name}” back:
      </Text>
      <ChangedFields fields={fields.map(reversed)} />
      <Caption>The change log records the undo as a change of its own.</Caption>
    </Stack>
  );
}

const reversed = ({ field, before, after, entries }: ChangedField): ChangedField => ({
  field,
  before: after,
  after: before,
  ...(entries && { entries: { ...entries, added: entries.removed, removed: entries.added } }),
});
