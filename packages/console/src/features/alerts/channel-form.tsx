import { ALERT_KINDS } from '@bidwell/contract/alerts/kinds';
import {
  AlertChannelInput,
  type AlertChannelType,
  type NewAlertChannel,
} from '@bidwell/contract/alerts/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { createAlertChannel } from '../../entities/alerts/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { NameInput } from '../../ui/form/form-fields.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { ShownOnce } from '../../ui/secrets/shown-once.tsx';
import { Segments } from '../../ui/layout/segments.tsx';
import { CHANNEL_TYPES } from './channel-types.ts';
import { KindsField } from './kinds-field.tsx';

const typeOptions = (['slack', 'telegram', 'webhook'] as const).map((value) => ({
  value,
  label: CHANNEL_TYPES[value].label,
}));

const emptyChannel = {
  type: 'slack' as AlertChannelType,
  name: '',
  url: '',
  bot_token: '',
  chat_id: '',
  kinds: [...ALERT_KINDS] as string[],
};

/** Asks for a channel; for a webhook it then shows the secret, which is never shown again. */
export function ChannelForm({ onDone }: { onDone: () => void }) {
  const [made, setMade] = useState<NewAlertChannel>();
  const { form, busy, submit } = useSavedForm({
    initialValues: emptyChannel,
    schema: AlertChannelInput,
    send: (values) => createAlertChannel(AlertChannelInput.parse(values)),
    done: (saved) => screenMessages.added(saved.name),
    onSaved: (saved) => (saved.signing_secret === null ? onDone() : setMade(saved)),
  });
  if (made) return <Secret secret={made.signing_secret ?? ''} onDone={onDone} />;
  const { type } = form.values;
  return (
    <DialogForm onSubmit={submit}>
      <Segments label="Type of channel" {...form.getInputProps('type')} value={type} options={typeOptions} />
      <NameInput data-autofocus {...form.getInputProps('name')} />
      {type === 'telegram' ? (
        <>
          <TextInput
            label="Bot token"
            description="The token of your bot, from BotFather. It is stored encrypted and not shown again."
            withAsterisk
            autoComplete="off"
            {...form.getInputProps('bot_token')}
          />
          <TextInput
            label="Chat"
            description="The id of the chat that the bot is in, or @name of a channel"
            withAsterisk
            {...form.getInputProps('chat_id')}
          />
        </>
      ) : (
        <TextInput
          label="Address"
          description={
            type === 'slack'
              ? 'The URL of an incoming webhook. It is stored encrypted and not shown again.'
              : 'The URL of your server. Messages are signed as Standard Webhooks specifies.'
          }
          withAsterisk
          autoComplete="off"
          {...form.getInputProps('url')}
        />
      )}
      <KindsField label="Receives" {...form.getInputProps('kinds')} />
      <FormButtons action="Add channel" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <ShownOnce secret={secret} testId="signing-secret" onDone={onDone}>
      Copy the secret now: your server checks the signature of messages with it, and it is not shown again.
    </ShownOnce>
  );
}
