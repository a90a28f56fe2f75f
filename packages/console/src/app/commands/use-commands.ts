import { type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useContext, useMemo } from 'react';
import { entityLink } from '../../entities/changes/entity-link.ts';
import { logOut } from '../../lib/api/account.ts';
import { RoleContext } from '../../lib/api/use-may.ts';
import { adsetsQuery } from '../../entities/campaigns/adset-queries.ts';
import { appsQuery } from '../../entities/apps/queries.ts';
import { campaignsQuery } from '../../entities/campaigns/queries.ts';
import { creativeGroupsQuery } from '../../entities/creative-groups/queries.ts';
import { targetsQuery } from '../../entities/targets/queries.ts';
import { trackingLinksQuery } from '../../entities/tracking-links/queries.ts';
import type { Command } from './commands.ts';
import { mayOpen } from '../screen-rights.ts';
import { type ScreenPath, screenTitles } from '../screens.ts';

const goTo: ScreenPath[] = [
  '/campaigns',
  '/reports',
  '/reports/cohorts',
  '/assets',
  '/creatives',
  '/creative-groups',
  '/targets',
  '/tracking-links',
  '/finances',
  '/profile',
  '/changes',
];

const create: [ScreenPath, string, Permission][] = [
  ['/campaigns/create', 'New campaign', 'campaign.write'],
  ['/adset', 'New ad set', 'adset.write'],
  ['/add-app', 'New app', 'app.write'],
  ['/creatives/add-creative', 'New creatives', 'creative.write'],
  ['/creative-groups/edit', 'New creative group', 'creative_group.write'],
  ['/targets/edit', 'New target', 'target.write'],
  ['/tracking-links/edit', 'New tracking link', 'tracking_link.write'],
];

/** The commands of the command palette that the role of the user includes; entities are cached, and refetched when stale. */
export function useCommands(): Command[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const role = useContext(RoleContext);
  const may = (permission: Permission) => role !== undefined && companyRoleHas(role, permission);
  const { data: campaigns = [] } = useQuery({ ...campaignsQuery, enabled: may('campaign.read') });
  const { data: adsets = [] } = useQuery({ ...adsetsQuery, enabled: may('adset.read') });
  const { data: apps = [] } = useQuery({ ...appsQuery, enabled: may('app.read') });
  const { data: targets = [] } = useQuery({ ...targetsQuery, enabled: may('target.read') });
  const { data: groups = [] } = useQuery({ ...creativeGroupsQuery, enabled: may('creative_group.read') });
  const { data: links = [] } = useQuery({ ...trackingLinksQuery, enabled: may('tracking_link.read') });
  return useMemo(() => {
    const screen = (section: string, to: ScreenPath, label: string = screenTitles[to]): Command => ({
      id: `${section} ${to}`,
      section,
      label,
      run: () => void navigate({ to }),
    });
    const entity = (
      section: string,
      type: string,
      uuid: string,
      label: string,
      detail?: string,
    ): Command => ({
      id: uuid,
      section,
      label,
      ...(detail && { detail }),
      run: () => {
        const link = entityLink(type, uuid);
        if (link) void navigate(link);
      },
    });
    const theme = (scheme: 'light' | 'dark' | 'auto', label: string): Command => ({
      id: `theme ${scheme}`,
      section: 'Actions',
      label,
      run: () => setColorScheme(scheme),
    });
    return [
      ...goTo.filter((to) => mayOpen(role, to)).map((to) => screen('Go to', to)),
      ...create
        .filter(([, , permission]) => role !== undefined && companyRoleHas(role, permission))
        .map(([to, label]) => screen('Create', to, label)),
      ...campaigns.map(({ uuid, name, app }) => entity('Campaigns', 'campaign', uuid, name, app.name)),
      ...campaigns.map(({ uuid, name }) => ({
        id: `report ${uuid}`,
        section: 'Campaign reports',
        label: `Report: ${name}`,
        run: () => void navigate({ to: '/reports', search: { campaign_uuid: uuid } }),
      })),
      ...adsets.map(({ uuid, name, campaign }) => entity('Ad sets', 'adset', uuid, name, campaign?.name)),
      ...apps.map(({ uuid, name, bundle_id }) => entity('Apps', 'app', uuid, name, bundle_id)),
      ...targets.map(({ uuid, name, app }) => entity('Targets', 'target', uuid, name, app.name)),
      ...groups.map(({ uuid, name }) => entity('Creative groups', 'creative_group', uuid, name)),
      ...links.map(({ uuid, name, app }) => entity('Tracking links', 'tracking_link', uuid, name, app.name)),
      theme('light', 'Theme: light'),
      theme('dark', 'Theme: dark'),
      theme('auto', 'Theme: system'),
      { id: 'log out', section: 'Actions', label: 'Log out', run: () => void logOut() },
    ];
  }, [navigate, setColorScheme, role, campaigns, adsets, apps, targets, groups, links]);
}
