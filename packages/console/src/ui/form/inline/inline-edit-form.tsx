import { hasAtMost } from '@bidwell/contract/lib/characters';
import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Stack } from '@mantine/core';
import { CountedInput, CountedTextarea } from '../form-fields.tsx';
import { FormButtons } from '../form-buttons.tsx';
import type { FieldInPlace } from './edited-field.ts';
import { useEditInPlace } from './use-edit-in-place.ts';

interface EditFormProps {
  label: string;
  field: FieldInPlace<string>;
  kind: 'title' | 'description';
  onDone: () => void;
}

/** Form of the inline edit dialog. */
export function EditForm({ label, field, kind, onDone }: EditFormProps) {
  const max = kind === 'title' ? limits.titleMax : limits.inlineDescriptionMax;
  const { value, setValue, save, busy, error, changedElsewhere } = useEditInPlace(field, {
    label,
    textOf: (text) => text || 'none',
    done: (text) => consoleMessages.textChanged(label, text),
    onDone,
  });
  const tooLong = !hasAtMost(value.trim(), max);
  const empty = kind === 'title' && value.trim() === '';
  const props = { label, value, maxLength: max, error, autoFocus: true };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!tooLong && !empty) save(value.trim());
      }}
    >
      {changedElsewhere}
      <Stack>
        {kind === 'title' ? (
          <CountedInput {...props} onChange={(event) => setValue(event.currentTarget.value)} />
        ) : (
          <CountedTextarea {...props} onChange={(event) => setValue(event.currentTarget.value)} />
        )}
        <FormButtons action="Save" onCancel={onDone} busy={busy} disabled={tooLong || empty} />
      </Stack>
    </form>
  );
}
