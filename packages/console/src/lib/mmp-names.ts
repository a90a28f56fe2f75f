import type { Mmp } from '@bidwell/contract/app';

/** Display names of the measurement partners. */
export const mmpNames: Record<Mmp, string> = {
  appsflyer: 'AppsFlyer',
  adjust: 'Adjust',
  appmetrica: 'AppMetrica',
};
