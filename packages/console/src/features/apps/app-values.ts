import { appFields } from '@bidwell/contract/apps/fields';
import type { App } from '@bidwell/contract/apps/schema';
import { formValuesOf, formsOf } from '@bidwell/contract/lib/fields';
import { z } from 'zod';

/** The values of an app's form: null for no selection, '' for no text. */
export const AppValues = z.object({ name: z.string(), description: z.string(), ...formsOf(appFields) });
export type AppValues = z.infer<typeof AppValues>;

export const emptyApp: AppValues = { name: '', description: '', ...formValuesOf(appFields, undefined) };

/** The form values of an existing app. */
export const appValues = (app: App): AppValues => ({
  name: app.name,
  description: app.description,
  ...formValuesOf(appFields, app),
});
