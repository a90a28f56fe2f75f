import { useSearch } from '@tanstack/react-router';
import { useLoadable } from '../../../lib/loadable.ts';
import { adsetQuery } from '../../../entities/campaigns/adset-queries.ts';
import { EditScreen } from '../../../ui/layout/edit-screen.tsx';
import { NotFoundScreen } from '../../../ui/layout/error-screens.tsx';
import { AdsetForm } from './adset-form.tsx';

/** /adset?campaign_uuid=: creates an ad set and adds it to the campaign. */
export function AdsetCreateScreen() {
  const { campaign_uuid: campaignUuid } = useSearch({ strict: false }) as { campaign_uuid?: string };
  return <AdsetForm campaignUuid={campaignUuid} />;
}

/** /adset/edit?uuid=, with a field to begin with and a number to fill in. */
export function AdsetEditScreen() {
  const { uuid, field, value } = useSearch({ strict: false }) as {
    uuid?: string;
    field?: string;
    value?: number;
  };
  const entity = useLoadable({ ...adsetQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <NotFoundScreen />;
  return (
    <EditScreen entity={entity}>
      {(adset) => <AdsetForm key={adset.uuid} adset={adset} field={field} value={value} />}
    </EditScreen>
  );
}
