import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { FactorKind } from '@bidwell/contract/accounts/schema';
import { passPasskeyFactor, passSecondFactor } from '../../entities/accounts/log-in.ts';
import { CodeField } from '../../entities/accounts/sign-in/code-field.tsx';
import { PasskeyButton } from '../../entities/accounts/sign-in/passkey-button.tsx';
import { ApiError, failureText } from '../../lib/api/api-error.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { AccountFrame } from './account-frame.tsx';

interface SecondFactorFormProps {
  /** The second factors of the person. */
  factors: readonly FactorKind[];
  onPassed: () => void;
  /** Called to enter login and password again, with a sentence where they have to be. */
  onBack: (reason?: string) => void;
}

/** The second step of a login: a passkey, the code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ factors, onPassed, onBack }: SecondFactorFormProps) {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const onFailure = (error: unknown) => {
    if (error instanceof ApiError && error.fields['login'] !== undefined) onBack(error.message);
    else setFailure(failureText(error));
  };
  const { save, busy } = useSave({
    send: () => passSecondFactor(code),
    onSaved: onPassed,
    onFailure,
    shownInPlace: true,
  });
  const hasApp = factors.includes('code');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') save();
  };
  return (
    <AccountFrame title="Second factor" text="Your password is right. One more step.">
      <form onSubmit={submit} noValidate>
        <Stack>
          {factors.includes('passkey') && (
            <PasskeyButton
              label="Use a passkey"
              send={passPasskeyFactor}
              onPassed={onPassed}
              onFailure={onFailure}
            />
          )}
          <CodeField
            label={hasApp ? 'Code' : 'Recovery code'}
            description={
              hasApp
                ? 'From your authenticator app, or a recovery code if you lost it'
                : 'One of the codes that you got with your passkey, if you lost it'
            }
            value={code}
            error={failure}
            onChange={(value) => {
              setCode(value);
              setFailure(undefined);
            }}
          />
          <Button type="submit" loading={busy} disabled={code.trim() === ''} fullWidth>
            Log in
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={() => onBack()}>
            Back
          </Button>
          <Caption ta="center">
            Lost everything? The operator of this platform can reset your second factor.
          </Caption>
        </Stack>
      </form>
    </AccountFrame>
  );
}
