import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import type { Target } from '@bidwell/contract/targets/schema';
import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { type Loadable, mapped, useLoadable } from '../../../lib/loadable.ts';
import { currentOnly } from '../../../lib/current-only.ts';
import { creativeGroupsQuery } from '../../../entities/creative-groups/queries.ts';
import { targetsQuery } from '../../../entities/targets/queries.ts';
import { trackingLinksQuery } from '../../../entities/tracking-links/queries.ts';
import { creativesOf } from '../table/tree-rows.ts';

/** Targets, tracking links and creative groups that an ad set can refer to. */
export interface AdsetOptions {
  targets: Loadable<readonly Target[]>;
  links: Loadable<readonly TrackingLink[]>;
  groups: Loadable<readonly CreativeGroup[]>;
}

/** Fetches all options that an ad set can refer to. */
export function useAdsetOptions(): AdsetOptions {
  return {
    targets: useLoadable(targetsQuery),
    links: useLoadable(trackingLinksQuery),
    groups: useLoadable(creativeGroupsQuery),
  };
}

/** The current options of an app (of all apps while the app is unknown), plus archived ones that are in `chosen`. */
export function optionsOfApp(
  options: AdsetOptions,
  appUuid: string | undefined,
  chosen: readonly string[] = [],
): AdsetOptions {
  const fits = (app: string) => !appUuid || app === appUuid;
  return {
    targets: mapped(options.targets, (targets) =>
      currentOnly(targets, ...chosen).filter((target) => fits(target.app.uuid)),
    ),
    links: mapped(options.links, (links) =>
      currentOnly(links, ...chosen).filter((link) => fits(link.app_id)),
    ),
    groups: mapped(options.groups, (groups) =>
      currentOnly(groups, ...chosen).filter((group) => creativesOf(group).every(({ app }) => fits(app.uuid))),
    ),
  };
}
