import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import { useSearch } from '@tanstack/react-router';
import { type Loadable, combined, useFresh, useLoadable } from '../../../lib/loadable.ts';
import { adsetsOfCampaignQuery, adsetsQuery } from '../../../entities/campaigns/adset-queries.ts';
import { draftQuery } from '../../../entities/campaigns/draft-queries.ts';
import { openedDraft } from './use-campaign-draft.ts';
import { campaignQuery } from '../../../entities/campaigns/queries.ts';
import { EditScreen } from '../../../ui/layout/edit-screen.tsx';
import { NotFoundScreen } from '../../../ui/layout/error-screens.tsx';
import { CampaignForm } from './campaign-form.tsx';

/** /campaigns/create, and with ?draft= that draft of the company */
export function CampaignCreateScreen() {
  const { draft } = useSearch({ strict: false }) as { draft?: string };
  const adsets = useLoadable(adsetsQuery);
  return draft ? (
    <OpenedDraftForm key={draft} uuid={draft} adsets={adsets} />
  ) : (
    <CampaignForm adsets={adsets} />
  );
}

function OpenedDraftForm({ uuid, adsets }: { uuid: string; adsets: Loadable<readonly AdsetSummary[]> }) {
  const draft = useFresh({ ...draftQuery(uuid), retry: false });
  return (
    <EditScreen entity={draft}>
      {(known) => <CampaignForm opened={openedDraft(known)} adsets={adsets} />}
    </EditScreen>
  );
}

/** /campaigns/edit?uuid= */
export function CampaignEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const campaign = useLoadable({ ...campaignQuery(uuid ?? ''), enabled: Boolean(uuid) });
  const adsets = useLoadable(adsetsQuery);
  const own = useFresh({ ...adsetsOfCampaignQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <NotFoundScreen />;
  return (
    <EditScreen entity={combined(campaign, own)}>
      {([saved, ownAdsets]) => (
        <CampaignForm key={saved.uuid} saved={{ campaign: saved, adsets: ownAdsets }} adsets={adsets} />
      )}
    </EditScreen>
  );
}
