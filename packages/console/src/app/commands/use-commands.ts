import type { Permission } from '@bidwell/contract/accounts/permission';
import { useMantineColorScheme } from '@mantine/core';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useContext, useMemo } from 'react';
import { type Loadable, combined, isKnown, knownAs, useLoadable } from '../../lib/loadable.ts';
import { entityLink } from '@bidwell/contract/changes/entity-link';
import { logOut } from '../../lib/api/account.ts';
import { RoleContext, mayAs } from '../../lib/api/use-may.ts';
import { adsetsQuery } from '../../entities/campaigns/adset-queries.ts';
import { appsQuery } from '../../entities/apps/queries.ts';
import { campaignsQuery } from '../../entities/campaigns/queries.ts';
import { creativeGroupsQuery } from '../../entities/creative-groups/queries.ts';
import { targetsQuery } from '../../entities/targets/queries.ts';
import { trackingLinksQuery } from '../../entities/tracking-links/queries.ts';
import type { Command } from './commands.ts';
import type { ScreenPath } from '../screens.ts';
import { goToCommands } from './go-to-commands.ts';

const create: [ScreenPath, string, Permission][] = [
  ['/campaigns/create', 'New campaign', 'campaign.write'],
  ['/adset', 'New ad set', 'adset.write'],
  ['/add-app', 'New app', 'app.write'],
  ['/creatives/add-creative', 'New creatives', 'creative.write'],
  ['/creative-groups/edit', 'New creative group', 'creative_group.write'],
  ['/targets/edit', 'New target', 'target.write'],
  ['/tracking-links/edit', 'New tracking link', 'tracking_link.write'],
];

interface Commands {
  commands: Command[];
  /** Load state of the entities that commands lead to. */
  entities: Loadable;
}

/** The commands of the command palette that the role of the user includes; entities are cached, and refetched when stale. */
export function useCommands(): Commands {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const role = useContext(RoleContext);
  const may = (permission: Permission) => role !== undefined && mayAs(role, permission);
  const campaigns = usePermitted(campaignsQuery, may('campaign.read'));
  const adsets = usePermitted(adsetsQuery, may('adset.read'));
  const apps = usePermitted(appsQuery, may('app.read'));
  const targets = usePermitted(targetsQuery, may('target.read'));
  const groups = usePermitted(creativeGroupsQuery, may('creative_group.read'));
  const links = usePermitted(trackingLinksQuery, may('tracking_link.read'));
  const lists = [campaigns, adsets, apps, targets, groups, links] as const;
  const [knownCampaigns, knownAdsets, knownApps, knownTargets, knownGroups, knownLinks] = [
    ofKnown(campaigns),
    ofKnown(adsets),
    ofKnown(apps),
    ofKnown(targets),
    ofKnown(groups),
    ofKnown(links),
  ];
  const commands = useMemo(() => {
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
      ...goToCommands(role, navigate),
      ...create
        .filter(([, , permission]) => role !== undefined && mayAs(role, permission))
        .map(([to, label]) => ({
          id: `Create ${to}`,
          section: 'Create',
          label,
          run: () => void navigate({ to }),
        })),
      ...knownCampaigns.map(({ uuid, name, app }) => entity('Campaigns', 'campaign', uuid, name, app.name)),
      ...knownCampaigns.map(({ uuid, name }) => ({
        id: `report ${uuid}`,
        section: 'Campaign reports',
        label: `Report: ${name}`,
        run: () => void navigate({ to: '/reports', search: { campaign_uuid: uuid } }),
      })),
      ...knownAdsets.map(({ uuid, name, campaign }) =>
        entity('Ad sets', 'adset', uuid, name, campaign?.name),
      ),
      ...knownApps.map(({ uuid, name, bundle_id }) => entity('Apps', 'app', uuid, name, bundle_id)),
      ...knownTargets.map(({ uuid, name, app }) => entity('Targets', 'target', uuid, name, app.name)),
      ...knownGroups.map(({ uuid, name }) => entity('Creative groups', 'creative_group', uuid, name)),
      ...knownLinks.map(({ uuid, name, app }) =>
        entity('Tracking links', 'tracking_link', uuid, name, app.name),
      ),
      theme('light', 'Theme: light'),
      theme('dark', 'Theme: dark'),
      theme('auto', 'Theme: system'),
      { id: 'log out', section: 'Actions', label: 'Log out', run: () => void logOut() },
    ];
  }, [
    navigate,
    setColorScheme,
    role,
    knownCampaigns,
    knownAdsets,
    knownApps,
    knownTargets,
    knownGroups,
    knownLinks,
  ]);
  return { commands, entities: combined(...lists) };
}

/** A list that the role includes; one that it does not include has nothing to find. */
function usePermitted<Item, Key extends QueryKey>(
  query: UseQueryOptions<Item[], Error, Item[], Key>,
  isIncluded: boolean,
): Loadable<readonly Item[]> {
  const list = useLoadable({ ...query, enabled: isIncluded });
  return isIncluded ? list : knownAs(NONE);
}

const NONE: readonly never[] = [];

/** Results from a list: the palette says below them that there may be more. */
const ofKnown = <Item>(list: Loadable<readonly Item[]>): readonly Item[] =>
  isKnown(list) ? list.data : NONE;
