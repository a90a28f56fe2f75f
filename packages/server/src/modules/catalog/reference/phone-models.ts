import type { PhoneModel } from '@bidwell/contract/reference/schema';
import data from './phone-models.json' with { type: 'json' };

/** The most used phones and tablets, by vendor. `value` is compared with OpenRTB's `device.model`, ignoring case. */
export const phoneModels: readonly PhoneModel[] = Object.entries<Record<string, string>>(
  data.vendors,
).flatMap(([vendor, models]) => Object.entries(models).map(([value, name]) => ({ vendor, value, name })));
