import { operatorMessages } from '@bidwell/contract/operator/messages';
import { Stack } from '@mantine/core';
import { useLoadable } from '../../lib/loadable.ts';
import { PasskeyList } from '../../entities/accounts/sign-in/passkey-list.tsx';
import { RecoveryCodeSection } from '../../entities/accounts/sign-in/recovery-code-section.tsx';
import { SessionList } from '../../entities/accounts/sign-in/session-list.tsx';
import { secondFactorsQuery } from '../../entities/accounts/sign-in/sign-in-queries.ts';
import { operatorCalls } from '../../entities/operator-accounts/operator-calls.ts';
import { FigureFrame, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** /operator/account: the operator's passkeys, the recovery codes of the authenticator app, and where they are logged in. */
export function OwnAccountScreen() {
  const factors = useLoadable(secondFactorsQuery(operatorCalls));
  return (
    <>
      <PageHeader title="Your account" description="How you log in to the operator console." />
      <Stack maw={800}>
        <Section title="Passkeys">
          <Stack gap="sm">
            <PasskeyList calls={operatorCalls} onAdded={undefined} />
          </Stack>
        </Section>
        <Section
          title="Recovery codes"
          description="If you lose your authenticator app, each of these codes logs you in once."
        >
          <FigureFrame figures={factors} what="The recovery codes" skeleton={<ListSkeleton rows={1} />}>
            {(known) => (
              <RecoveryCodeSection
                calls={operatorCalls}
                factors={known}
                lockedText={operatorMessages.ownCodesLocked}
              />
            )}
          </FigureFrame>
        </Section>
        <Section
          title="Where you are logged in"
          description="End sessions that you do not recognize, and sessions of devices that you lost."
        >
          <SessionList calls={operatorCalls} />
        </Section>
      </Stack>
    </>
  );
}
