import type { NewAuthenticator, SecondFactors as Factors } from '@bidwell/contract/accounts/sign-in';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecretDialog } from '../../../ui/secrets/secret-dialog.tsx';
import { NewAuthenticatorForm } from './new-authenticator.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { proved } from './prove.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import type { SignInCalls } from './sign-in-calls.ts';
import { refetchSignIn, secondFactorsQuery } from './sign-in-queries.ts';

/** The second factors of an account: an authenticator app, passkeys, and recovery codes for both. `onEnrolled` follows a setup. */
export function SecondFactors({ calls, onEnrolled }: { calls: SignInCalls; onEnrolled?: () => void }) {
  const { data, error } = useQuery(secondFactorsQuery(calls));
  const [made, setMade] = useState<NewAuthenticator>();
  const start = useSave({
    confirm: () => proved(calls),
    send: () => calls.startAuthenticator(),
    onSaved: setMade,
  });
  const close = () => {
    setMade(undefined);
    void refetchSignIn(calls).then(onEnrolled);
  };
  if (!data)
    return error ? (
      <Text size="sm" c="red.8" mt="sm" role="alert">
        {error.message}
      </Text>
    ) : null;
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
          <Button variant="default" loading={start.busy} onClick={() => start.save()}>
            Set up an authenticator app
          </Button>
        </Group>
      )}
      <PasskeyList calls={calls} onAdded={onEnrolled} />
      {(data.has_authenticator || data.passkeys > 0) && <RecoveryCodeSection calls={calls} factors={data} />}
      <SecretDialog opened={made !== undefined} onClose={close} title="Authenticator app">
        {made && <NewAuthenticatorForm calls={calls} made={made} onDone={close} />}
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
      <Button variant="default" loading={busy} onClick={() => remove()}>
        Remove
      </Button>
    </Group>
  );
}

function RecoveryCodeSection({ calls, factors }: { calls: SignInCalls; factors: Factors }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const renew = useSave({
    confirm: () => proved(calls),
    send: () => calls.renewRecoveryCodes(),
    onSaved: ({ recovery_codes: made }) => setCodes(made),
  });
  const close = () => {
    setCodes(undefined);
    void refetchSignIn(calls);
  };
  return (
    <>
      <Group justify="space-between">
        <Text size="sm">{screenMessages.recoveryCodesLeft(factors.recovery_codes)}</Text>
        <Button variant="default" loading={renew.busy} onClick={() => renew.save()}>
          New recovery codes
        </Button>
      </Group>
      {factors.is_locked && (
        <Text size="sm" c="red.8" role="alert">
          {screenMessages.codesLocked}
        </Text>
      )}
      <SecretDialog opened={codes !== undefined} onClose={close} title="Recovery codes">
        {codes && <RecoveryCodeList codes={codes} onDone={close} />}
      </SecretDialog>
    </>
  );
}
