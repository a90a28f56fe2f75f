import type { NewAuthenticator } from '@bidwell/contract/accounts/sign-in';
import { Button, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { failureText } from '../../../lib/api/api-error.ts';
import { DialogForm } from '../../../ui/form/dialog-form.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { Muted } from '../../../ui/layout/muted.tsx';
import { CodeField } from './code-field.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import type { SignInCalls } from './sign-in-calls.ts';

interface NewAuthenticatorFormProps {
  calls: SignInCalls;
  made: NewAuthenticator;
  /** Called once the app counts, before `onDone`. */
  onEnabled: () => void;
  onDone: () => void;
}

/** Shows the secret for an authenticator app, asks for a code of it, then shows new recovery codes. */
export function NewAuthenticatorForm({ calls, made, onEnabled, onDone }: NewAuthenticatorFormProps) {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [recovery, setRecovery] = useState<readonly string[]>();
  const { save, busy } = useSave({
    send: () => calls.enableAuthenticator(code),
    onSaved: ({ recovery_codes: codes }) => {
      onEnabled();
      if (codes.length > 0) setRecovery(codes);
      else onDone();
    },
    onFailure: (error) => setFailure(failureText(error)),
    shownInPlace: true,
  });
  if (recovery) return <RecoveryCodeList codes={recovery} onDone={onDone} />;
  return (
    <DialogForm onSubmit={() => save()}>
      <Stack align="center">
        <Text size="sm" ta="center">
          Scan this with an authenticator app, then enter the code that it shows.
        </Text>
        <QrCode text={made.uri} label="QR code for the authenticator app" />
        <Muted size="xs" ta="center">
          Or type this key:{' '}
          <Code style={{ overflowWrap: 'anywhere' }} data-testid="authenticator-key">
            {made.secret}
          </Code>
        </Muted>
        <CodeField
          value={code}
          error={failure}
          onChange={(value) => {
            setCode(value);
            setFailure(undefined);
          }}
        />
        <Button type="submit" loading={busy} disabled={code.trim() === ''} fullWidth>
          Continue
        </Button>
      </Stack>
    </DialogForm>
  );
}
