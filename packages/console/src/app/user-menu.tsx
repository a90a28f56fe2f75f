import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconBellRinging,
  IconBuilding,
  IconCheck,
  IconDeviceDesktop,
  IconHistory,
  IconLayoutList,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useKnown } from '../lib/loadable.ts';
import { ownCompaniesQuery, switchCompany } from '../entities/accounts/people-queries.ts';
import { accountQuery, logOut } from '../lib/api/account.ts';
import { api } from '../lib/api/api-client.ts';
import { staleTimes } from '../lib/api/query-client.ts';
import { useSave } from '../ui/form/use-save.ts';

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

/** Menu of the logged-in user: profile, change log, theme, log out. */
export function UserMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const user = useKnown(accountQuery);
  const avatar = useKnown({
    queryKey: ['file', user?.avatar],
    queryFn: () => api.fileUrl(user!.avatar!),
    enabled: Boolean(user?.avatar),
    staleTime: staleTimes.ever,
    gcTime: staleTimes.ever,
  });
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ');
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton aria-label={`${initialsOf(name)} Your account`.trim()}>
          <Avatar src={avatar} name={name} color="initials" size={32} alt="" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate component="div">
            {name || 'Your account'}
          </Text>
          <Text size="xs" truncate component="div">
            {user?.login}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} />}>
          Profile
        </Menu.Item>
        <Menu.Item component={Link} to="/alerts" leftSection={<IconBellRinging size={16} />}>
          Alerts
        </Menu.Item>
        {user && companyRoleHas(user.role, 'change.read') && (
          <Menu.Item component={Link} to="/changes" leftSection={<IconHistory size={16} />}>
            Change log
          </Menu.Item>
        )}
        <Companies />
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            closeMenuOnClick={false}
            leftSection={<Icon size={16} />}
            onClick={() => setColorScheme(value)}
            rightSection={
              colorScheme === value ? <IconCheck size={15} role="img" aria-label="selected" /> : null
            }
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logOut()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The companies of a person who belongs to several, to act for another one. */
function Companies() {
  const companies = useKnown(ownCompaniesQuery);
  const { save: act } = useSave({ send: switchCompany });
  if (!companies || companies.length < 2) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Company</Menu.Label>
      <Menu.Item component={Link} to="/companies" leftSection={<IconLayoutList size={16} />}>
        All companies
      </Menu.Item>
      {companies.map(({ uuid, name, is_current: isCurrent }) => (
        <Menu.Item
          key={uuid}
          disabled={isCurrent}
          leftSection={<IconBuilding size={16} />}
          rightSection={isCurrent ? <IconCheck size={15} role="img" aria-label="selected" /> : null}
          onClick={() => act(uuid)}
        >
          <Text size="sm" truncate component="div">
            {name}
          </Text>
        </Menu.Item>
      ))}
    </>
  );
}

/** The initials that the avatar shows; the accessible name has to contain the visible text. */
function initialsOf(name: string): string {
  const words = name.split(' ');
  const initials = words.length === 1 ? name : words.map((word) => word.slice(0, 1)).join('');
  return initials.slice(0, 2).toUpperCase();
}
