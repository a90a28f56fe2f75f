import type { User } from '@bidwell/contract/accounts/schema';
import { Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { isKnown, useLoadable } from '../../lib/loadable.ts';
import { accountQuery } from '../../lib/api/account.ts';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { FieldsSkeleton } from '../../ui/layout/edit-screen.tsx';
import { LoadErrorScreen } from '../../ui/layout/error-screens.tsx';
import { type ScreenTab, ScreenTabs } from '../../ui/layout/screen-tabs.tsx';
import { ApiKeys } from './api-keys.tsx';
import { ApprovalLimitsSection } from './approval-limits-form.tsx';
import { CompanyForm } from './company-form.tsx';
import { People } from './people.tsx';
import { ProfileForm } from './profile-form.tsx';
import type { ProfileTab } from './profile-search.ts';
import { Sessions } from './sessions.tsx';
import { SsoLink } from './sso/sso-link.tsx';
import { SsoSettings } from './sso/sso-settings.tsx';
import { mayAs } from '../../lib/api/use-may.ts';

/** /profile?tab=: the user's data and sessions, and the company, its people and API keys as far as their role allows. */
export function ProfileScreen() {
  const account = useLoadable(accountQuery);
  const { tab = 'profile' } = useSearch({ strict: false }) as { tab?: ProfileTab };
  const navigate = useNavigate();
  if (account.state === 'failed') return <LoadErrorScreen of={account} />;
  if (!isKnown(account)) return <Loading />;
  const user = account.data;
  const tabs = tabsOf(user);
  return (
    <>
      <PageHeader title="Profile" description={`${user.login}, ${user.company.name}`} />
      <ScreenTabs
        tabs={tabs}
        selected={tabs.some(({ value }) => value === tab) ? tab : 'profile'}
        onSelect={(selected) =>
          void navigate({ to: '/profile', search: selected === 'profile' ? {} : { tab: selected } })
        }
      />
    </>
  );
}

/** The heading, the tabs and a form, before it is known whose they are. */
function Loading() {
  return (
    <>
      <PageHeader title="Profile" description={<SkeletonBar width={180} />} />
      <Skeleton height={36} maw={420} mb="md" />
      <Paper withBorder p="md" maw={560}>
        <FieldsSkeleton />
      </Paper>
    </>
  );
}

/** The profile in a session by single sign-on, which does not change it: it holds in the person's other companies too. */
function ProfileOfSso({ user }: { user: User }) {
  const values = [
    ['Name', `${user.first_name} ${user.last_name}`.trim()],
    ['Email', user.email],
    ['Contact', user.contact],
  ];
  return (
    <Stack>
      <Text size="sm">
        You signed in by single sign-on. Your profile is shown in all your companies: log in with your
        password to change it.
      </Text>
      {values.map(([label, value]) => (
        <div key={label}>
          <Muted>{label}</Muted>
          <Text>{value}</Text>
        </div>
      ))}
    </Stack>
  );
}

function SignIn({ bySso }: { bySso: boolean }) {
  return (
    <>
      <Sessions bySso={bySso} />
      <SsoLink />
    </>
  );
}

function CompanySettings({ company }: Pick<User, 'company'>) {
  return (
    <>
      <CompanyForm key={company.time_zone} company={company} />
      <ApprovalLimitsSection />
      <SsoSettings />
    </>
  );
}

/** The tabs that the role of the user allows. */
function tabsOf(user: User): ScreenTab<ProfileTab>[] {
  const { company, role } = user;
  const tabs: (ScreenTab<ProfileTab> & { hidden?: boolean })[] = [
    {
      value: 'profile',
      label: 'Profile',
      content: () => (
        <Paper withBorder p="md" maw={560}>
          {user.signed_in_by_sso ? <ProfileOfSso user={user} /> : <ProfileForm user={user} />}
        </Paper>
      ),
    },
    { value: 'sign-in', label: 'Sign-in', content: () => <SignIn bySso={user.signed_in_by_sso} /> },
    {
      value: 'company',
      label: 'Company',
      content: () => <CompanySettings company={company} />,
      hidden: !mayAs(role, 'company.write'),
    },
    {
      value: 'people',
      label: 'People',
      content: () => <People user={user} />,
      hidden: !mayAs(role, 'people.read'),
    },
    {
      value: 'api',
      label: 'API keys',
      content: () => <ApiKeys user={user} />,
      hidden: !mayAs(role, 'api_token.read'),
    },
  ];
  return tabs.filter(({ hidden }) => !hidden);
}
