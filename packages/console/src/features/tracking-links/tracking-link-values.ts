import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import type { App } from '@bidwell/contract/apps/schema';
import { z } from 'zod';
import { linkTemplate } from '../../entities/tracking-links/link-templates.ts';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';

/** The values of a tracking link's form. Also the schema of its draft. */
export const TrackingLinkValues = z.object({
  app_id: z.string(),
  name: z.string(),
  description: z.string(),
  click_url: z.string(),
  view_url: z.string(),
});
export type TrackingLinkValues = z.infer<typeof TrackingLinkValues>;

/** The form values of an existing link. */
export function valuesOf(link: TrackingLink): TrackingLinkValues {
  return {
    app_id: link.app_id,
    name: link.name,
    description: link.description,
    click_url: link.click_url,
    view_url: link.view_url,
  };
}

const emptyLink: TrackingLinkValues = { app_id: '', name: '', description: '', click_url: '', view_url: '' };

/** The form values of a new link: an empty form, or the template of an app's measurement partner. */
export function newValues(appUuid = '', app?: App): TrackingLinkValues {
  if (!app) return { ...emptyLink, app_id: appUuid };
  return {
    ...emptyLink,
    app_id: app.uuid,
    name: mmpNames[app.mobile_measurement_partner],
    ...linkTemplate(app, window.location.origin),
  };
}
