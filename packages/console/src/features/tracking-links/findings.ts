import type { LinkedApp } from './mmp-rules.ts';
import { mmpRules } from './mmp-rules.ts';

export type UrlField = 'click_url' | 'view_url';

/** Something about an address: an error breaks the counting or the way to the store, a warning may cost something. */
export interface Finding {
  level: 'error' | 'warning';
  text: string;
}

export const error = (text: string): Finding => ({ level: 'error', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });

/** Said where {click_id} is missing; `where` is the parameter that the partner wants it in. */
export function noClickId(field: UrlField, app: LinkedApp | undefined): Finding {
  const rules = app && mmpRules[app.mobile_measurement_partner];
  const what = rules
    ? rules.clickIdIn === 'install_callback'
      ? 'No {click_id} in install_callback'
      : `No ${rules.clickIdIn}={click_id}`
    : 'No {click_id}';
  return field === 'click_url'
    ? error(
        `${what}: ${rules?.name ?? 'the partner'} cannot say which click brought an install, and none is counted.`,
      )
    : warning(`${what}: installs after a view without a click are not counted.`);
}
