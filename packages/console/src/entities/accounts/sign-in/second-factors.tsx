import type { NewAuthenticator } from '@bidwell/contract/accounts/sign-in';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { failureText } from '../../../lib/api/api-error.ts';
import { isKnown, useLoadable } from '../../../lib/loadable.ts';
import { FigureFrame, ListSkeleton } from '../../../ui/chart/figure-frame.tsx';
import { DialogForm } from '../../../ui/form/dialog-form.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { SecretDialog } from '../../../ui/secrets/secret-dialog.tsx';
import { CodeField } from './code-field.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { proved } from './prove.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import { RecoveryCodeSection } from './recovery-code-section.tsx';
import type { SignInCalls } from './sign-in-calls.ts';
import { refetchSignIn, secondFactorsQuery } from './sign-in-queries.ts';

/** The second factors of an account: an authenticator app, passkeys, and recovery codes for both. `onEnrolled` follows a setup. */
export function SecondFactors({ calls, onEnrolled }: { calls: SignInCalls; onEnrolled?: () => void }) {
  const factors = useLoadable(secondFactorsQuery(calls));
  const [made, setMade] = useState<NewAuthenticator>();
  const start = useSave({
    confirm: () => proved(calls),
    send: () => calls.startAuthenticator(),
    onSaved: setMade,
  });
  const isEnabled = useRef(false);
  const close = () => {
    setMade(undefined);
    if (!isEnabled.current) return;
    isEnabled.current = false;
    void refetchSignIn(calls).then(onEnrolled);
  };
  if (!isKnown(factors))
    return (
      <Stack mt="sm">
        <FigureFrame figures={factors} what="The second factors" skeleton={<ListSkeleton rows={2} />}>
          {null}
        </FigureFrame>
      </Stack>
    );
  const { data } = factors;
  return (
    <Stack mt="sm" gap="sm">
      {data.has_authenticator ? (
        <RemoveAuthenticator calls={calls} />
      ) : (
        <Group justify="space-between">
          <Text size="sm">
            {data.passkeys > 0
              ? 'A login by password asks for a passkey.'
              : 'No second factor: the password is enough to log in.'}
          </Text>
          <SecondaryButton loading={start.busy} onClick={() => start.save()}>
            Set up an authenticator app
          </SecondaryButton>
        </Group>
      )}
      <PasskeyList calls={calls} onAdded={onEnrolled} />
      {(data.has_authenticator || data.passkeys > 0) && (
        <RecoveryCodeSection calls={calls} factors={data} lockedText={screenMessages.codesLocked} />
      )}
      <SecretDialog opened={made !== undefined} onClose={close} title="Authenticator app">
        {made && (
          <NewAuthenticatorForm
            calls={calls}
            made={made}
            onEnabled={() => {
              isEnabled.current = true;
            }}
            onDone={close}
          />
        )}
      </SecretDialog>
    </Stack>
  );
}

function RemoveAuthenticator({ calls }: { calls: SignInCalls }) {
  const { save: remove, busy } = useSave({
    confirm: () => proved(calls),
    send: async () => {
      await calls.removeAuthenticator();
      await refetchSignIn(calls);
    },
    done: screenMessages.authenticatorRemoved,
  });
  return (
    <Group justify="space-between">
      <Text size="sm">A login asks for the code of your authenticator app.</Text>
      <SecondaryButton loading={busy} onClick={() => remove()}>
        Remove
      </SecondaryButton>
    </Group>
  );
}

interface NewAuthenticatorFormProps {
  calls: SignInCalls;
  made: NewAuthenticator;
  /** Called once the app counts, before `onDone`. */
  onEnabled: () => void;
  onDone: () => void;
}

/** Shows the secret for an authenticator app, asks for a code of it, then shows new recovery codes. */
function NewAuthenticatorForm({ calls, made, onEnabled, onDone }: NewAuthenticatorFormProps) {
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
        <Caption ta="center">
          Or type this key:{' '}
          <Code style={{ overflowWrap: 'anywhere' }} data-testid="authenticator-key">
            {made.secret}
          </Code>
        </Caption>
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
