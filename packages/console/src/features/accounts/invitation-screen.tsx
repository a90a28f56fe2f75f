import { shownAddress } from '@bidwell/contract/accounts/domain';
import { InvitedRegistration, type OfferedInvitation } from '@bidwell/contract/accounts/people';
import type { User } from '@bidwell/contract/accounts/schema';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { combined, isKnown, useLoadable } from '../../lib/loadable.ts';
import {
  acceptInvitation,
  invitationQuery,
  registerInvited,
  visitorQuery,
} from '../../entities/accounts/people-queries.ts';
import { roleNames } from '../../entities/accounts/role-text.ts';
import { failureText, isAway } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { rememberReturnAddress } from '../../lib/api/return-address.ts';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { PageLoader } from '../../ui/layout/page-loader.tsx';
import { PersonFields } from './person-fields.tsx';
import { AccountFrame } from './account-frame.tsx';

/** /invitation#TOKEN: joins a company, as the logged-in person or as a new one. */
export function InvitationScreen() {
  return (
    <QueryClientProvider client={queryClient}>
      <OfferedMembership />
    </QueryClientProvider>
  );
}

function OfferedMembership() {
  const token = useLocation({ select: ({ hash }) => hash });
  const invitation = useLoadable(invitationQuery(token));
  const visitor = useLoadable(visitorQuery);
  const { error, isFetching, retry } = combined(invitation, visitor);
  if (token !== '' && error && isAway(error))
    return (
      <AccountFrame title="Invitation" text={failureText(error)}>
        <SecondaryButton fullWidth loading={isFetching} onClick={retry}>
          Try again
        </SecondaryButton>
      </AccountFrame>
    );
  if (token === '' || error)
    return (
      <AccountFrame title="Invitation" text={error ? failureText(error) : accountMessages.invitationLink}>
        <SecondaryButton component={Link} to="/login" fullWidth>
          Go to the login
        </SecondaryButton>
      </AccountFrame>
    );
  if (!isKnown(invitation) || !isKnown(visitor)) return <PageLoader />;
  const [offered, user] = [invitation.data, visitor.data];
  const { company_name, role, email } = offered;
  return (
    <AccountFrame
      title={`Join ${company_name}`}
      text={`${shownAddress(email)} is invited with the role ${roleNames[role].toLowerCase()}.`}
    >
      {user ? (
        <Accept token={token} user={user} offered={offered} />
      ) : offered.needs_single_sign_on ? (
        <JoinAtProvider offered={offered} />
      ) : (
        <Register token={token} offered={offered} />
      )}
    </AccountFrame>
  );
}

/** Where the company requires single sign-on: the provider's sign-in accepts the invitation of its address. */
function JoinAtProvider({ offered: { company_name: name, email } }: { offered: OfferedInvitation }) {
  return (
    <Stack>
      <Text size="sm">{name} requires single sign-on: sign in at its provider with this address.</Text>
      <Button component={Link} to="/sso" hash={email} fullWidth>
        Continue with single sign-on
      </Button>
    </Stack>
  );
}

function Accept({ token, user, offered }: { token: string; user: User; offered: OfferedInvitation }) {
  const { needs_single_sign_on: needsSso, company_name: name } = offered;
  const navigate = useNavigate();
  const { save: accept, busy } = useSave({
    send: () => acceptInvitation(token, needsSso),
    ...(needsSso && {
      done: consoleMessages.joinedWithSso(name),
      onSaved: () => void navigate({ to: '/' }),
    }),
  });
  return (
    <Stack>
      <Text size="sm">
        You are logged in as {user.login}, with the address {shownAddress(user.email)}.
      </Text>
      <Button onClick={() => accept()} loading={busy} fullWidth>
        Join
      </Button>
      <SecondaryButton component={Link} to="/" fullWidth>
        Not now
      </SecondaryButton>
    </Stack>
  );
}

const schema = InvitedRegistration.omit({ token: true });

function Register({ token, offered }: { token: string; offered: OfferedInvitation }) {
  const navigate = useNavigate();
  const { form, busy, submit } = useSavedForm({
    mode: 'uncontrolled',
    initialValues: { login: '', password: '', first_name: '', last_name: '', contact: '' },
    schema,
    send: (values) => registerInvited({ token, ...values }),
    onSaved: () => navigate({ to: '/' }),
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <PersonFields form={form} />
        <Button type="submit" loading={busy} fullWidth>
          Create account and join
        </Button>
        <Text size="sm" ta="center">
          Have an account with {shownAddress(offered.email)}?{' '}
          <Anchor
            component={Link}
            to="/login"
            size="sm"
            underline="always"
            onClick={() => rememberReturnAddress(`/invitation#${token}`)}
          >
            Log in
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}
