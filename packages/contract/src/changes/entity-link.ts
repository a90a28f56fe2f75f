/** A screen of the console: its path and its query. */
export interface EntityLink {
  to:
    | '/edit-app'
    | '/creatives'
    | '/creative-groups/edit'
    | '/targets/edit'
    | '/tracking-links/edit'
    | '/adset/edit'
    | '/campaigns/edit'
    | '/profile'
    | '/alerts'
    | '/reports/scheduled'
    | '/finances'
    | '/assets'
    | '/campaigns'
    | '/campaigns/delivery'
    | '/campaigns/approvals'
    | '/campaigns/drafts';
  search: { uuid?: string; tab?: string; creative?: string };
}

const editors = {
  app: '/edit-app',
  creative_group: '/creative-groups/edit',
  target: '/targets/edit',
  tracking_link: '/tracking-links/edit',
  adset: '/adset/edit',
  campaign: '/campaigns/edit',
} as const;

/** The screen that shows and edits an entity; null without one. */
export function entityLink(entityType: string | null, uuid: string | null): EntityLink | null {
  if (entityType === 'creative') return { to: '/creatives', search: {} };
  if (entityType === 'user') return { to: '/profile', search: {} };
  if (entityType === 'api_token') return { to: '/profile', search: { tab: 'api' } };
  if (['report_schedule', 'report_destination', 'warehouse_export'].includes(entityType ?? ''))
    return { to: '/reports/scheduled', search: {} };
  if (entityType === 'alert_channel' || entityType === 'alert_rule') return { to: '/alerts', search: {} };
  if (entityType === 'company') return { to: '/finances', search: {} };
  if (entityType === 'audience') return { to: '/assets', search: { tab: 'audiences' } };
  if (entityType === null || uuid === null || !Object.hasOwn(editors, entityType)) return null;
  return { to: editors[entityType as keyof typeof editors], search: { uuid } };
}

const tabs = {
  app: 'apps',
  creative_group: 'creative-groups',
  target: 'targets',
  audience: 'audiences',
  tracking_link: 'tracking-links',
} as const;

/** The screen that lists the entities of a type; null without one. */
export function entityListLink(entityType: string | null): EntityLink | null {
  if (entityType === 'adset' || entityType === 'campaign') return { to: '/campaigns', search: {} };
  if (entityType !== null && Object.hasOwn(tabs, entityType))
    return { to: '/assets', search: { tab: tabs[entityType as keyof typeof tabs] } };
  return entityLink(entityType, null);
}

/** The path and query of a screen, as in the address of the console. Pure. */
export function linkPath({ to, search }: EntityLink): string {
  const query = new URLSearchParams(search).toString();
  return query === '' ? to : `${to}?${query}`;
}
