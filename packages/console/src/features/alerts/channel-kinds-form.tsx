import { type AlertChannel, AlertChannelUpdate, alertChannelVersion } from '@bidwell/contract/alerts/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { readAgain } from '../../lib/api/query-client.ts';
import { alertChannelsQuery, updateAlertChannel } from '../../entities/alerts/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { NameInput } from '../../ui/form/form-fields.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { KindsField } from './kinds-field.tsx';

const valuesOf = ({ name, kinds }: AlertChannel) => ({ name, kinds: [...kinds] as string[] });

/** Changes the name of a channel and what it gets. */
export function ChannelKindsForm({ channel, onDone }: { channel: AlertChannel; onDone: () => void }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm({
    initialValues: valuesOf(channel),
    entity: {
      saved: channel,
      valuesOf,
      version: alertChannelVersion,
      reload: async () =>
        (await readAgain(alertChannelsQuery)).find(({ uuid }) => uuid === channel.uuid) ?? channel,
    },
    schema: AlertChannelUpdate,
    send: (values, version) => updateAlertChannel(channel.uuid, AlertChannelUpdate.parse(values), version),
    done: consoleMessages.saved('Channel'),
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      <NameInput {...form.getInputProps('name')} />
      <KindsField label="Receives" {...form.getInputProps('kinds')} />
      <FormButtons action="Save" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
