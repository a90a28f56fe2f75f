import { hasAtMost } from '@bidwell/contract/lib/characters';
import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { failureText } from '../../../lib/api/api-error.ts';
import { CountedInput, CountedTextarea } from '../form-fields.tsx';
import { FormButtons } from '../form-buttons.tsx';
import { toastUndo } from '../../layout/undo-toast.tsx';

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
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const max = kind === 'title' ? limits.titleMax : limits.inlineDescriptionMax;
  const save = async () => {
    setBusy(true);
    try {
      const changed = text.trim();
      await onSave(changed);
      onDone();
      if (changed !== value)
        toastUndo(consoleMessages.textChanged(label, changed), {
          items: [changed],
          readUnchanged: async () => ((await isPresent(changed)) ? [changed] : []),
          restore: async () => onSave(value),
        });
    } catch (failure) {
      setError(failureText(failure));
    } finally {
      setBusy(false);
    }
  };
  const tooLong = !hasAtMost(text.trim(), max);
  const empty = kind === 'title' && text.trim() === '';
  const props = { label, defaultValue: value, maxLength: max, error, autoFocus: true };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!tooLong && !empty) void save();
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
