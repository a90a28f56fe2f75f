import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { adsetsOfCampaignQuery, adsetsQuery } from '../../../entities/campaigns/adset-queries.ts';
import { draftQuery } from '../../../entities/campaigns/draft-queries.ts';
import { openedDraft } from './use-campaign-draft.ts';
import { campaignQuery } from '../../../entities/campaigns/queries.ts';
import { LoadErrorScreen } from '../../../ui/layout/error-screens.tsx';
import { PageLoader } from '../../../ui/layout/page-loader.tsx';
import { CampaignForm } from './campaign-form.tsx';

/** /campaigns/create, and with ?draft= that draft of the company */
export function CampaignCreateScreen() {
  const { draft } = useSearch({ strict: false }) as { draft?: string };
  const { data: adsets } = useQuery(adsetsQuery);
  return draft ? (
    <OpenedDraftForm key={draft} uuid={draft} adsets={adsets} />
  ) : (
    <CampaignForm adsets={adsets} />
  );
}

function OpenedDraftForm({ uuid, adsets }: { uuid: string; adsets: readonly AdsetSummary[] | undefined }) {
  const { data: draft, error, isFetchedAfterMount } = useQuery({ ...draftQuery(uuid), retry: false });
  if (error && !draft) return <LoadErrorScreen error={error} />;
  if (!draft || !isFetchedAfterMount) return <PageLoader />;
  return <CampaignForm opened={openedDraft(draft)} adsets={adsets} />;
}

/** /campaigns/edit?uuid= */
export function CampaignEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: campaign, error } = useQuery({ ...campaignQuery(uuid ?? ''), enabled: Boolean(uuid) });
  const { data: adsets } = useQuery(adsetsQuery);
  // Always refetched: a form that starts from an old copy would save it back.
  const {
    data: own,
    isFetchedAfterMount,
    error: ownError,
  } = useQuery({ ...adsetsOfCampaignQuery(uuid ?? ''), staleTime: 0, enabled: Boolean(uuid) });
  // An open form stays when a refetch fails.
  if (!uuid || (error && !campaign)) return <LoadErrorScreen error={error} />;
  if (ownError && !own) return <LoadErrorScreen error={ownError} />;
  if (!campaign || !own || !isFetchedAfterMount) return <PageLoader />;
  return <CampaignForm key={campaign.uuid} saved={{ campaign, adsets: own }} adsets={adsets} />;
}
