import { type EntityLink, entityLink } from '../changes/entity-link.ts';
import type { Notification } from './schema.ts';

/** The screen that a notification is about: of an anomaly, the changes of the campaign that may have caused it. Null without one. Pure. */
export function notificationLink({
  kind,
  entity_type: type,
  entity_uuid: uuid,
}: Pick<Notification, 'kind' | 'entity_type' | 'entity_uuid'>): EntityLink | null {
  if (kind === 'anomaly' && type === 'campaign' && uuid !== null)
    return { to: '/campaigns/delivery', search: { uuid, tab: 'changes' } };
  // Without a campaign it is about a draft.
  if (kind === 'comment' && uuid === null) return { to: '/campaigns/drafts', search: {} };
  if (kind === 'exchange_review' && uuid !== null) return { to: '/creatives', search: { creative: uuid } };
  if (kind === 'sign_in') return { to: '/profile', search: { tab: 'sign-in' } };
  if (kind === 'sso_domain') return { to: '/profile', search: { tab: 'company' } };
  if (kind === 'approval') return { to: '/campaigns/approvals', search: {} };
  return entityLink(type, uuid);
}
