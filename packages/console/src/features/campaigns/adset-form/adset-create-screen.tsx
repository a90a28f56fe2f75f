import { useSearch } from '@tanstack/react-router';
import { AdsetForm } from './adset-form.tsx';

/** /adset?campaign_uuid=: creates an ad set and adds it to the campaign. */
export function AdsetCreateScreen() {
  const { campaign_uuid: campaignUuid } = useSearch({ strict: false }) as { campaign_uuid?: string };
  return <AdsetForm campaignUuid={campaignUuid} />;
}
