import { accountMessages } from '@bidwell/contract/accounts/messages';
import { modals } from '@mantine/modals';
import { PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../../ui/form/dialog-form.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { answerByPasskey, offersPasskeys } from './browser-passkeys.ts';
import type { SessionCalls } from './sign-in-calls.ts';

const DIALOG = 'prove-it-is-you';
/** A proof that ends within this time is asked for again, so that what follows is not too late. */
const SPARE_MS = 15_000;

/** Asks for the password or a passkey unless one was given within the last minutes; false if the dialog is closed. */
export async function proved(calls: SessionCalls): Promise<boolean> {
  const { confirmed_until, passkeys } = await calls.secondFactors();
  if (Date.parse(confirmed_until) > Date.now() + SPARE_MS) return true;
  return new Promise((resolve) => {
    const finish = (isProved: boolean) => {
      resolve(isProved);
      modals.close(DIALOG);
    };
    modals.open({
      modalId: DIALOG,
      title: 'Is it you?',
      centered: true,
      onClose: () => resolve(false),
      children: (
        <ProofForm
          calls={calls}
          startPasskey={passkeys > 0 && offersPasskeys() ? calls.startPasskeyConfirmation : undefined}
          onDone={finish}
        />
      ),
    });
  });
}

/** Sends what needs a proof in some cases: once more after one, where the server asks for it. Throws ApiError. */
export async function withProof<T>(calls: SessionCalls, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const isAsked = error instanceof ApiError && error.message === accountMessages.confirmFirst;
    if (!isAsked || !(await proved(calls))) throw error;
    return send();
  }
}

interface ProofFormProps {
  calls: SessionCalls;
  /** Begins a proof by a passkey, where there is one. */
  startPasskey: SessionCalls['startPasskeyConfirmation'] | undefined;
  onDone: (isProved: boolean) => void;
}

function ProofForm({ calls, startPasskey, onDone }: ProofFormProps) {
  const [password, setPassword] = useState('');
  const { save, busy, error } = useSave({
    send: () => calls.confirm({ password }),
    onSaved: () => onDone(true),
    shownInPlace: true,
  });
  const byPasskey = useSave({
    send: async () => {
      if (!startPasskey) return;
      await calls.confirm({ passkey: await answerByPasskey(await startPasskey()) });
    },
    onSaved: () => onDone(true),
    shownInPlace: true,
  });
  return (
    <DialogForm onSubmit={() => password !== '' && save()}>
      <Text size="sm">
        Your login was a while ago. Enter your password{startPasskey && ' or use a passkey'} before you change
        how you sign in.
      </Text>
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        data-autofocus
        value={password}
        error={error}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {startPasskey && (
        <SecondaryButton loading={byPasskey.busy} onClick={() => byPasskey.save()}>
          Use a passkey
        </SecondaryButton>
      )}
      {byPasskey.error !== undefined && <ErrorText size="sm">{byPasskey.error}</ErrorText>}
      <FormButtons action="Continue" onCancel={() => onDone(false)} busy={busy} disabled={password === ''} />
    </DialogForm>
  );
}
