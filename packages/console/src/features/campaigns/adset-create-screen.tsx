import { useSearch } from '@tanstack/react-router';
import { AdsetForm } from './adset-form.tsx';

/** /adset?campaign_uuid=: makes an ad set, and adds it to the campaign that is named. */
export function AdsetCreateScreen() {
  const { campaign_uuid: campaignUuid } = useSearch({ strict: false }) as { campaign_uuid?: string };
  return <AdsetForm campaignUuid={campaignUuid} />;
}
