import type { Mmp } from '../apps/schema.ts';

/** Display names of the measurement partners. */
export const mmpNames: Record<Mmp, string> = {
  appsflyer: 'AppsFlyer',
  adjust: 'Adjust',
  appmetrica: 'AppMetrica',
};
