import type { Mmp } from '@bidwell/contract/app';

/** The measurement partners by name. */
export const mmpNames: Record<Mmp, string> = {
  appsflyer: 'AppsFlyer',
  adjust: 'Adjust',
  appmetrica: 'AppMetrica',
};
