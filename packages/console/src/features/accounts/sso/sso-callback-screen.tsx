import { accountMessages } from '@bidwell/contract/accounts/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Button } from '@mantine/core';
import { Link, useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { finishSso } from '../../../entities/accounts/sso-sign-in.ts';
import { failureText } from '../../../lib/api/api-error.ts';
import { takeReturnAddress } from '../../../lib/api/return-address.ts';
import { mayHaveSession, userId } from '../../../lib/api/session.ts';
import { toastSuccess } from '../../../lib/toast.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { PageLoader } from '../../../ui/layout/page-loader.tsx';
import { AccountFrame } from '../account-frame.tsx';

/** /sso/callback/COMPANY: where the provider sends the browser back to. */
export function SsoCallbackScreen() {
  const router = useRouter();
  const { uuid } = useParams({ strict: false }) as { uuid: string };
  const [query] = useState(() => location.search.slice(1));
  const [failure, setFailure] = useState<string | null>(query === '' ? accountMessages.ssoState : null);
  useEffect(() => {
    if (query === '') return;
    // The code is of use once: it does not stay in the history.
    history.replaceState(history.state, '', location.pathname);
    finishSso(uuid, query).then(
      (isLogin) => {
        if (!isLogin) toastSuccess(consoleMessages.ssoLinked);
        router.history.replace(isLogin ? (takeReturnAddress(userId()) ?? '/') : '/profile?tab=sign-in');
      },
      (error: unknown) => setFailure(failureText(error)),
    );
  }, [router, uuid, query]);
  if (!failure) return <PageLoader />;
  return (
    <AccountFrame title="You are not signed in" text={failure}>
      <Button component={Link} to={mayHaveSession() ? '/profile' : '/sso'} fullWidth>
        {mayHaveSession() ? 'Back to the profile' : 'Start again'}
      </Button>
      <SecondaryButton component={Link} to="/login" fullWidth mt="sm">
        Log in with a password
      </SecondaryButton>
    </AccountFrame>
  );
}
