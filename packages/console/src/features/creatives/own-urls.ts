import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';

/** The click and view URL of a creative; '' for none. */
export interface CreativeUrls {
  click_url: string;
  view_url: string;
}

/** The URLs of an app's newest tracking link, with which the form of a creative is filled; null without a link. Pure. */
export function filledUrls(links: readonly TrackingLink[], appUuid: string): CreativeUrls | null {
  const link = links.find(({ app, archived_at: archivedAt }) => app.uuid === appUuid && archivedAt === null);
  return link ? { click_url: link.click_url, view_url: link.view_url } : null;
}

/**
 * The creative's own URLs: none if they equal the ones that the form was filled with, so that a later change of the tracking
 * link applies to it too. Pure.
 */
export function ownUrls({ click_url, view_url }: CreativeUrls, filled: CreativeUrls | null): CreativeUrls {
  const isFilled = filled !== null && click_url === filled.click_url && view_url === filled.view_url;
  return isFilled ? { click_url: '', view_url: '' } : { click_url, view_url };
}
