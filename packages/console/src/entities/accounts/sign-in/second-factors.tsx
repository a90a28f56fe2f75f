import type { NewAuthenticator } from '@bidwell/contract/accounts/sign-in';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { isKnown, useLoadable } from '../../../lib/loadable.ts';
import { FigureFrame, ListSkeleton } from '../../../ui/chart/figure-frame.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecretDialog } from '../../../ui/secrets/secret-dialog.tsx';
import { NewAuthenticatorForm } from './new-authenticator.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { proved } from './prove.tsx';
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
          <Button variant="default" loading={start.busy} onClick={() => start.save()}>
            Set up an authenticator app
          </Button>
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
      <Button variant="default" loading={busy} onClick={() => remove()}>
        Remove
      </Button>
    </Group>
  );
}
