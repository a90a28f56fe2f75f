import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../lib/api/account.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PageLoader } from '../../ui/layout/page-loader.tsx';
import { ApiTokens } from './api-tokens.tsx';
import { CompanyForm } from './company-form.tsx';
import { People } from './people.tsx';
import { ProfileForm } from './profile-form.tsx';
import { Sessions } from './sessions.tsx';

/** /profile: the user's data, the company's name, time zone, people and API tokens as far as their role allows, and sessions. */
export function ProfileScreen() {
  const { data: user } = useQuery(accountQuery);
  if (!user) return <PageLoader />;
  return (
    <>
      <PageHeader title="Profile" description={`${user.login}, ${user.company.name}`} />
      <Paper withBorder p="md" maw={560}>
        <ProfileForm user={user} />
      </Paper>
      {companyRoleHas(user.role, 'company.write') && (
        <CompanyForm key={user.company.time_zone} company={user.company} />
      )}
      {companyRoleHas(user.role, 'people.read') && <People user={user} />}
      {companyRoleHas(user.role, 'api_token.read') && <ApiTokens />}
      <Sessions />
    </>
  );
}
