import { PARTNERS, partnerInText } from '@bidwell/contract/measurement/partners/partners';
import type { PostbackSource } from '@bidwell/contract/postbacks/schema';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { Button, Modal, PasswordInput, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { ApiError, failureText } from '../../lib/api/api-error.ts';
import { updatePostbackSource } from '../../entities/postbacks/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useUnsavedInput } from '../../ui/form/unsaved-input.ts';
import { useSave } from '../../ui/form/use-save.ts';

/** Opens a dialog that configures checks of a partner's postbacks in addition to the secret in their URL. */
export function PostbackChecks({ source }: { source: PostbackSource }) {
  const [opened, { open, close }] = useDisclosure(false);
  const name = partnerInText(source.mmp);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        Checks
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={`Checks of ${name}’s postbacks`}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ChecksForm source={source} onDone={close} />
      </Modal>
    </>
  );
}

function ChecksForm({ source, onDone }: { source: PostbackSource; onDone: () => void }) {
  const { mmp, networks, secret_ending: ending } = source;
  const { label, description } = PARTNERS[mmp].postbacks.credential;
  const form = useForm({ initialValues: { networks: networks.join('\n'), secret: '' } });
  useUnsavedInput(form);
  const { save, busy } = useSave({
    send: (change: { secret?: string | null }) =>
      updatePostbackSource(mmp, {
        networks: form.values.networks.split(/[\s,]+/).filter(Boolean),
        ...change,
      }),
    done: consoleMessages.saved('Postback checks'),
    onSaved: onDone,
    onFailure: (failure) => form.setErrors(fieldErrors(failure)),
    shownInPlace: true,
  });
  return (
    <DialogForm onSubmit={form.onSubmit(({ secret }) => save(secret.trim() === '' ? {} : { secret }))}>
      <Text size="sm" c="dimmed">
        Postbacks that fail a check are stored but not counted. Without checks, only the secret in the URL is
        verified.
      </Text>
      <Textarea
        label="IP addresses and networks"
        description="One per line, such as 198.51.100.0/24; empty allows all. The partner publishes its networks."
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        {...form.getInputProps('networks')}
      />
      <PasswordInput
        label={label}
        description={description}
        autoComplete="off"
        placeholder={ending === null ? 'None' : `Set; it ends with ${ending}`}
        {...form.getInputProps('secret')}
      />
      {ending !== null && (
        <Button
          variant="subtle"
          color="red.8"
          size="compact-sm"
          disabled={busy}
          onClick={() => save({ secret: null })}
        >
          Remove the {label.toLowerCase()}
        </Button>
      )}
      <FormButtons action="Save" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

function fieldErrors(failure: unknown): { networks?: string; secret?: string } {
  const fields = failure instanceof ApiError ? Object.entries(failure.fields) : [];
  const of = (name: string) => fields.find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
  const networks = of('networks');
  const secret = of('secret');
  if (networks === undefined && secret === undefined) return { networks: failureText(failure) };
  return { ...(networks !== undefined && { networks }), ...(secret !== undefined && { secret }) };
}
