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
    | '/finances';
  search: { uuid?: string };
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
  if (entityType === 'user' || entityType === 'api_token') return { to: '/profile', search: {} };
  if (entityType === 'company') return { to: '/finances', search: {} };
  if (entityType === null || uuid === null || !Object.hasOwn(editors, entityType)) return null;
  return { to: editors[entityType as keyof typeof editors], search: { uuid } };
}
