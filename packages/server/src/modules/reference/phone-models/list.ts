import type { PhoneModel } from '@bidwell/contract/reference';
import { apple } from './apple.ts';
import { otherVendors } from './other-vendors.ts';
import { samsung } from './samsung.ts';
import { xiaomi } from './xiaomi.ts';

/** The most used phones and tablets by vendor; `value` is what OpenRTB's `device.model` says, in any case. */
export const phoneModels: readonly PhoneModel[] = Object.entries({
  ...apple,
  ...samsung,
  ...xiaomi,
  ...otherVendors,
}).flatMap(([vendor, models]) => Object.entries(models).map(([value, name]) => ({ vendor, value, name })));
