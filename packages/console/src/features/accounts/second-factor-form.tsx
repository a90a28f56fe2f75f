import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { passSecondFactor } from '../../entities/accounts/log-in.ts';
import { CodeField } from '../../entities/accounts/sign-in/code-field.tsx';
import { ApiError, failureText } from '../../lib/api/api-error.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { AccountFrame } from './account-frame.tsx';

interface SecondFactorFormProps {
  onPassed: () => void;
  /** Called to enter login and password again, with a sentence where they have to be. */
  onBack: (reason?: string) => void;
}

/** The second step of a login: the code of the authenticator app, or a recovery code. */
export function SecondFactorForm({ onPassed, onBack }: SecondFactorFormProps) {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const { save, busy } = useSave({
    send: () => passSecondFactor(code),
    onSaved: onPassed,
    onFailure: (error) => {
      if (error instanceof ApiError && error.fields['login'] !== undefined) onBack(error.message);
      else setFailure(failureText(error));
    },
    shownInPlace: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') save();
  };
  return (
    <AccountFrame title="Second factor" text="Your password is right. One more step.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <CodeField
            description="Of your authenticator app; a recovery code if you lost it"
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
          <Text size="xs" c="dimmed" ta="center">
            Lost both? The operator of this platform can reset your second factor.
          </Text>
        </Stack>
      </form>
    </AccountFrame>
  );
}
