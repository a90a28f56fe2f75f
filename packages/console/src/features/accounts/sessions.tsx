import { Button } from '@mantine/core';
import { viewing } from '../../lib/api/viewing.ts';
import { logOut } from '../../lib/api/account.ts';
import { SessionList } from '../../entities/accounts/sign-in/session-list.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { SecondFactorSection } from './second-factor-section.tsx';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** Where the user is logged in; ends single sessions, or after a confirmation every one. `bySso` as in SecondFactorSection. */
export function Sessions({ bySso }: { bySso: boolean }) {
  const confirmLogout = () =>
    confirmDestroy({
      title: 'Log out everywhere?',
      text: 'Every browser and device that is logged in to your account, this one too, has to log in again.',
      action: 'Log out everywhere',
      onConfirm: () => void logOut({ everywhere: true }),
    });
  return (
    <>
      {!viewing && <SecondFactorSection bySso={bySso} />}
      <Section
        title="Where you are logged in"
        description="End sessions that you do not recognize, and sessions of devices that you lost."
        maxWidth={800}
        actions={
          <Button variant="default" onClick={confirmLogout}>
            Log out everywhere
          </Button>
        }
      >
        {!viewing && <SessionList calls={personCalls} />}
      </Section>
    </>
  );
}
