import type { SecondFactors } from '@bidwell/contract/accounts/sign-in';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { SecretDialog } from '../../../ui/secrets/secret-dialog.tsx';
import { proved } from './prove.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import type { SessionCalls } from './sign-in-calls.ts';
import { refetchSignIn } from './sign-in-queries.ts';

interface RecoveryCodeSectionProps {
  calls: SessionCalls;
  factors: SecondFactors;
  /** Help for a person whose codes are no longer accepted. */
  lockedText: string;
}

/** How many recovery codes are left of an account, and a button for new ones. */
export function RecoveryCodeSection({ calls, factors, lockedText }: RecoveryCodeSectionProps) {
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
        <SecondaryButton loading={renew.busy} onClick={() => renew.save()}>
          New recovery codes
        </SecondaryButton>
      </Group>
      {factors.is_locked && <ErrorText size="sm">{lockedText}</ErrorText>}
      <SecretDialog opened={codes !== undefined} onClose={close} title="Recovery codes">
        {codes && <RecoveryCodeList codes={codes} onDone={close} />}
      </SecretDialog>
    </>
  );
}
