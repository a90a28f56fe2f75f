import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import type { LinkedApp } from '../../entities/measurement/linked-app.ts';

export type UrlField = 'click_url' | 'view_url';

/** A problem of a URL: an error breaks attribution or the redirect to the store, a warning may lose some of it. */
export interface Finding {
  level: 'error' | 'warning';
  text: string;
}

export const error = (text: string): Finding => ({ level: 'error', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });

/** Finding for a missing click ID in the parameter that the partner returns in its postback. */
export function missingClickId(field: UrlField, app: LinkedApp | undefined): Finding {
  const partner = app && PARTNERS[app.mobile_measurement_partner];
  const params = Object.entries(partner?.links.clickIdIn ?? {});
  const what =
    params.length > 0
      ? `No ${params.map(([param, macro]) => (param === 'install_callback' ? `${macro} in ${param}` : `${param}=${macro}`)).join(' or ')}`
      : 'No {click_id}';
  return field === 'click_url'
    ? error(
        `${what}: ${partner?.name ?? 'the partner'} cannot attribute installs to clicks, and none is counted.`,
      )
    : warning(`${what}: installs after a view without a click are not counted.`);
}
