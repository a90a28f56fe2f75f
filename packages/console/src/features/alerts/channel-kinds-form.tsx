import { type AlertChannel, AlertChannelUpdate } from '@bidwell/contract/alerts/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { updateAlertChannel } from '../../entities/alerts/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { CountedInput } from '../../ui/form/form-fields.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { KindsField } from './kinds-field.tsx';

/** Changes the name of a channel and what it gets. */
export function ChannelKindsForm({ channel, onDone }: { channel: AlertChannel; onDone: () => void }) {
  const { form, busy, submit } = useSavedForm({
    initialValues: { name: channel.name, kinds: [...channel.kinds] as string[] },
    validate: schemaResolver(AlertChannelUpdate, { sync: true }),
    send: (values) => updateAlertChannel(channel.uuid, AlertChannelUpdate.parse(values)),
    done: consoleMessages.saved('Channel'),
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      <Stack>
        <CountedInput label="Name" withAsterisk maxLength={limits.titleMax} {...form.getInputProps('name')} />
        <KindsField label="Gets" {...form.getInputProps('kinds')} />
        <FormButtons action="Save" onCancel={onDone} busy={busy} />
      </Stack>
    </DialogForm>
  );
}
