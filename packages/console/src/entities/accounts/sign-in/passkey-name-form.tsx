import { limits } from '@bidwell/contract/lib/limits';
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../../ui/form/dialog-form.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { useSave } from '../../../ui/form/use-save.ts';

interface PasskeyNameFormProps<Saved> {
  name: string;
  /** Label of the submit button. */
  action: string;
  description?: string;
  send: (name: string) => Promise<Saved>;
  /** The message once it is saved. */
  done?: string;
  onSaved: (saved: Saved) => unknown;
  onCancel: () => void;
}

/** Asks for the name of a passkey. */
export function PasskeyNameForm<Saved>(props: PasskeyNameFormProps<Saved>) {
  const { action, description, send, done, onSaved, onCancel } = props;
  const [name, setName] = useState(props.name);
  const { save, busy, error } = useSave({
    send: () => send(name.trim()),
    ...(done !== undefined && { done }),
    onSaved,
    shownInPlace: true,
  });
  return (
    <DialogForm onSubmit={() => name.trim() !== '' && save()}>
      {description !== undefined && <Text size="sm">{description}</Text>}
      <TextInput
        label="Name"
        data-autofocus
        maxLength={limits.titleMax}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {error !== undefined && <ErrorText size="sm">{error}</ErrorText>}
      <FormButtons action={action} onCancel={onCancel} busy={busy} disabled={name.trim() === ''} />
    </DialogForm>
  );
}
