import { useDrawer } from '../../../ui/form/drawer-requests.ts';
import { newAdsetItem } from './campaign-form-values.ts';
import type { Fix } from './start-checklist.ts';
import type { useCampaignForm } from './use-campaign-form.ts';

/** Leads from an item of the checklist to the field or the drawer where it is fixed. */
export function useFix(
  { values, focus, addAdset }: Pick<ReturnType<typeof useCampaignForm>, 'values' | 'focus' | 'addAdset'>,
  onApp: (uuid: string) => void,
): (fix: Fix) => void {
  const open = useDrawer();
  return (fix) => {
    if ('field' in fix) focus(fix.field);
    else if ('add' in fix) addAdset(newAdsetItem());
    else if (fix.drawer === 'top-up') open({ kind: 'top-up' });
    else open({ kind: 'app', appUuid: values.app_uuid || undefined, field: 'app_uuid', onSaved: onApp });
  };
}
