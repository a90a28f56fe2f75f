import * as passkeyEndpoints from '@bidwell/contract/operator-accounts/passkey-endpoints';
import * as endpoints from '@bidwell/contract/operator-accounts/sign-in-endpoints';
import { operatorMessages } from '@bidwell/contract/operator/messages';
import { Stack } from '@mantine/core';
import type { SessionCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { callOperator } from '../../lib/api/operator-client.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { PasskeyList } from '../../entities/accounts/sign-in/passkey-list.tsx';
import { RecoveryCodeSection } from '../../entities/accounts/sign-in/recovery-code-section.tsx';
import { SessionList } from '../../entities/accounts/sign-in/session-list.tsx';
import { secondFactorsQuery } from '../../entities/accounts/sign-in/sign-in-queries.ts';
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

/** The calls on the sessions, the passkeys and the recovery codes of the operator who is logged in. */
const operatorCalls: SessionCalls = {
  of: 'operator',
  sessions: () => callOperator(endpoints.listOperatorSessions),
  endSession: (uuid) => callOperator(endpoints.endOperatorSession, { params: { uuid } }),
  endOtherSessions: () => callOperator(endpoints.endOtherOperatorSessions),
  confirm: (body) => callOperator(endpoints.confirmOperator, { body }),
  secondFactors: () => callOperator(endpoints.readOperatorFactors),
  renewRecoveryCodes: () => callOperator(endpoints.renewOperatorRecoveryCodes),
  startPasskeyConfirmation: () => callOperator(passkeyEndpoints.startOperatorPasskeyConfirmation),
  passkeys: () => callOperator(passkeyEndpoints.listOperatorPasskeys),
  startPasskey: () => callOperator(passkeyEndpoints.startOperatorPasskey),
  // An operator's recovery codes are of the authenticator app, and made apart.
  addPasskey: async (body) => ({
    passkey: await callOperator(passkeyEndpoints.addOperatorPasskey, { body }),
    recovery_codes: [],
  }),
  renamePasskey: (uuid, name) =>
    callOperator(passkeyEndpoints.renameOperatorPasskey, { params: { uuid }, body: { name } }),
  removePasskey: (uuid) => callOperator(passkeyEndpoints.removeOperatorPasskey, { params: { uuid } }),
};
