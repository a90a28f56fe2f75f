import { hasAtMost } from '@bidwell/contract/lib/characters';
import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { CountedInput, CountedTextarea } from '../form-fields.tsx';
import { FormButtons } from '../form-buttons.tsx';
import { toastUndo } from '../../layout/undo-toast.tsx';
import { useSave } from '../use-save.ts';

interface EditFormProps {
  label: string;
  value: string;
  kind: 'title' | 'description';
  onSave: (value: string) => Promise<unknown>;
  isPresent: (value: string) => Promise<boolean>;
  onDone: () => void;
}

/** Form of the inline edit dialog. */
export function EditForm({ label, value, kind, onSave, isPresent, onDone }: EditFormProps) {
  const [text, setText] = useState(value);
  const max = kind === 'title' ? limits.titleMax : limits.inlineDescriptionMax;
  const { save, busy, error } = useSave({
    send: onSave,
    onSaved: (_saved, changed: string) => {
      onDone();
      if (changed !== value)
        toastUndo(consoleMessages.textChanged(label, changed), {
          items: [changed],
          readUnchanged: async () => ((await isPresent(changed)) ? [changed] : []),
          restore: async () => onSave(value),
        });
    },
    shownInPlace: true,
  });
  const tooLong = !hasAtMost(text.trim(), max);
  const empty = kind === 'title' && text.trim() === '';
  const props = { label, defaultValue: value, maxLength: max, error, autoFocus: true };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!tooLong && !empty) save(text.trim());
      }}
    >
      <Stack>
        {kind === 'title' ? (
          <CountedInput {...props} onChange={(event) => setText(event.currentTarget.value)} />
        ) : (
          <CountedTextarea {...props} onChange={(event) => setText(event.currentTarget.value)} />
        )}
        <FormButtons action="Save" onCancel={onDone} busy={busy} disabled={tooLong || empty} />
      </Stack>
    </form>
  );
}
