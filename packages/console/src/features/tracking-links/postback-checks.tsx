import { PARTNERS, partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { type PostbackSource, postbackSourceVersion } from '@bidwell/contract/postbacks/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Modal, PasswordInput, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { ApiError, failureText } from '../../lib/api/api-error.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { postbacksQuery, updatePostbackSource } from '../../entities/postbacks/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';

const NETWORKS_LABEL = 'IP addresses and networks';

/** Opens a dialog that configures checks of a partner's postbacks in addition to the secret in their URL. */
export function PostbackChecks({ source }: { source: PostbackSource }) {
  const [opened, { open, close }] = useDisclosure(false);
  const name = partnerInText(source.mmp);
  return (
    <>
      <SmallButton onClick={open}>Checks</SmallButton>
      <Modal opened={opened} onClose={close} title={`Checks of ${name}’s postbacks`}>
        <ChecksForm source={source} onDone={close} />
      </Modal>
    </>
  );
}

interface CheckValues extends Record<string, unknown> {
  networks: string;
  /** The new one; empty for the present one. */
  secret: string;
}

const valuesOf = ({ networks }: PostbackSource): CheckValues => ({
  networks: networks.join('\n'),
  secret: '',
});

/** Form of the checks, which follows what someone else saves. */
export function ChecksForm({ source, onDone }: { source: PostbackSource; onDone: () => void }) {
  const { mmp, secret_ending: ending } = source;
  const { label, description } = PARTNERS[mmp].postbacks.credential;
  // The fields do not show a secret that is stored, so that the form cannot compare it.
  const [shownEnding, setShownEnding] = useState(ending);
  const read = async () => (await readAgain(postbacksQuery)).sources.find((one) => one.mmp === mmp) ?? source;
  const removes = useRef(false);
  const { form, busy, submit, changedElsewhere } = useSavedForm<CheckValues, void, PostbackSource>({
    initialValues: valuesOf(source),
    entity: {
      saved: source,
      valuesOf,
      version: postbackSourceVersion,
      reload: read,
      labelOf: (field) => (field === 'networks' ? NETWORKS_LABEL : label),
    },
    send: async ({ networks, secret }, version) => {
      const change = removes.current ? { secret: null } : secret.trim() === '' ? {} : { secret };
      removes.current = false;
      if ('secret' in change) {
        const { secret_ending: present } = await read();
        setShownEnding(present);
        if (present !== shownEnding) throw new Error(screenMessages.changedAnew);
      }
      await updatePostbackSource(
        mmp,
        { networks: networks.split(/[\s,]+/).filter(Boolean), ...change },
        version,
      );
    },
    done: consoleMessages.saved('Postback checks'),
    onSaved: onDone,
    onFailure: (failure): void => form.setErrors(fieldErrors(failure)),
    shownInPlace: true,
  });
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      <Muted>
        Postbacks that fail a check are stored but not counted. Without checks, only the secret in the URL is
        verified.
      </Muted>
      <Textarea
        label={NETWORKS_LABEL}
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
          onClick={() => {
            removes.current = true;
            submit();
          }}
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
