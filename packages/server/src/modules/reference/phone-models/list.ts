import type { PhoneModel } from '@bidwell/contract/reference';
import { apple } from './apple.ts';
import { huawei } from './huawei.ts';
import { motorola } from './motorola.ts';
import { nokiaLgSony } from './nokia-lg-sony.ts';
import { oppo } from './oppo.ts';
import { otherVendors } from './other-vendors.ts';
import { realme } from './realme.ts';
import { samsungGalaxyA } from './samsung-galaxy-a.ts';
import { samsungGalaxyS } from './samsung-galaxy-s.ts';
import { transsion } from './transsion.ts';
import { vivo } from './vivo.ts';
import { xiaomi } from './xiaomi.ts';

/** The most used phones and tablets, by vendor. `value` is compared with OpenRTB's `device.model`, ignoring case. */
export const phoneModels: readonly PhoneModel[] = [
  apple,
  samsungGalaxyS,
  samsungGalaxyA,
  xiaomi,
  oppo,
  vivo,
  realme,
  huawei,
  motorola,
  transsion,
  nokiaLgSony,
  otherVendors,
]
  .flatMap((vendors) => Object.entries(vendors))
  .flatMap(([vendor, models]) => Object.entries(models).map(([value, name]) => ({ vendor, value, name })));
