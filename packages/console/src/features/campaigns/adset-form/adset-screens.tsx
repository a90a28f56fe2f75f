import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLoadable } from '../../../lib/loadable.ts';
import { adsetQuery } from '../../../entities/campaigns/adset-queries.ts';
import { campaignQuery } from '../../../entities/campaigns/queries.ts';
import { EditScreen } from '../../../ui/layout/edit-screen.tsx';
import { NotFoundScreen } from '../../../ui/layout/error-screens.tsx';
import { AdsetForm } from './adset-form.tsx';

/** /adset?campaign_uuid=: creates an ad set and adds it to the campaign. */
export function AdsetCreateScreen() {
  const { campaign_uuid: campaignUuid } = useSearch({ strict: false }) as { campaign_uuid?: string };
  if (campaignUuid === undefined) return <AdsetForm campaignKind="acquisition" />;
  return (
    <WithKind campaignUuid={campaignUuid}>
      {(kind) => <AdsetForm campaignUuid={campaignUuid} campaignKind={kind} />}
    </WithKind>
  );
}

/** A form of an ad set once the kind of its campaign is known, on which its fields depend. */
function WithKind({
  campaignUuid,
  children,
}: {
  campaignUuid: string;
  children: (kind: CampaignKind) => ReactNode;
}) {
  const campaign = useLoadable(campaignQuery(campaignUuid));
  return <EditScreen entity={campaign}>{({ kind }) => children(kind)}</EditScreen>;
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
      {(adset) => {
        const form = (kind: CampaignKind) => (
          <AdsetForm key={adset.uuid} adset={adset} campaignKind={kind} field={field} value={value} />
        );
        const { campaign } = adset;
        return campaign ? <WithKind campaignUuid={campaign.uuid}>{form}</WithKind> : form('acquisition');
      }}
    </EditScreen>
  );
}
