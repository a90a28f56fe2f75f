import {
  type NewReportDestination,
  ReportDestinationInput,
  type ReportDestinationType,
} from '@bidwell/contract/report-schedules/destination-schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { createReportDestination } from '../../../../entities/report-schedules/destination-queries.ts';
import { DialogForm } from '../../../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../../../ui/form/form-buttons.tsx';
import { NameInput } from '../../../../ui/form/form-fields.tsx';
import { useSavedForm } from '../../../../ui/form/saved-form.ts';
import { Segments } from '../../../../ui/layout/segments.tsx';
import { ShownOnce } from '../../../../ui/secrets/shown-once.tsx';
import { DESTINATION_LABELS } from './destination-text.ts';

const typeOptions = (['webhook', 's3'] as const).map((value) => ({
  value,
  label: DESTINATION_LABELS[value],
}));

const emptyDestination = {
  type: 'webhook' as ReportDestinationType,
  name: '',
  url: '',
  region: '',
  bucket: '',
  prefix: '',
  access_key_id: '',
  secret_access_key: '',
};

/** Asks for a destination; for a webhook it then shows the secret, which is never shown again. */
export function DestinationForm({ onDone }: { onDone: () => void }) {
  const [made, setMade] = useState<NewReportDestination>();
  const { form, busy, submit } = useSavedForm({
    initialValues: emptyDestination,
    schema: ReportDestinationInput,
    send: (values) => createReportDestination(ReportDestinationInput.parse(values)),
    done: (saved) => screenMessages.added(saved.name),
    onSaved: (saved) => (saved.signing_secret === null ? onDone() : setMade(saved)),
  });
  if (made)
    return (
      <ShownOnce secret={made.signing_secret ?? ''} testId="signing-secret" onDone={onDone}>
        Copy the secret now: your server checks the signature of messages with it, and it is not shown again.
      </ShownOnce>
    );
  return (
    <DialogForm onSubmit={submit}>
      <Segments
        label="Type of destination"
        {...form.getInputProps('type')}
        value={form.values.type}
        options={typeOptions}
      />
      <NameInput data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Address"
        description={
          form.values.type === 'webhook'
            ? 'The URL of your server. Messages are signed as Standard Webhooks specifies.'
            : 'The URL of the service without the bucket, such as https://s3.eu-central-1.amazonaws.com'
        }
        withAsterisk
        autoComplete="off"
        {...form.getInputProps('url')}
      />
      {form.values.type === 's3' && <BucketFields field={(name) => form.getInputProps(name)} />}
      <FormButtons action="Add destination" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

type BucketField = 'region' | 'bucket' | 'prefix' | 'access_key_id' | 'secret_access_key';

/** The fields that only a bucket has. */
function BucketFields({ field }: { field: (name: BucketField) => object }) {
  return (
    <>
      <Group align="start" grow>
        <TextInput label="Region" withAsterisk autoComplete="off" {...field('region')} />
        <TextInput label="Bucket" withAsterisk autoComplete="off" {...field('bucket')} />
      </Group>
      <TextInput
        label="Folder"
        description="The prefix of object names; leave empty for none"
        autoComplete="off"
        {...field('prefix')}
      />
      <TextInput
        label="Access key"
        description="The key of a user who may only do s3:PutObject. Both keys are stored encrypted and not shown again."
        withAsterisk
        autoComplete="off"
        {...field('access_key_id')}
      />
      <PasswordInput
        label="Secret key"
        withAsterisk
        autoComplete="new-password"
        {...field('secret_access_key')}
      />
    </>
  );
}
