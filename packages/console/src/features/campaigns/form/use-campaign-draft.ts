import type { Draft, DraftVersion } from '@bidwell/contract/drafts/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { useState } from 'react';
import { draftQuery } from '../../../entities/campaigns/draft-queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { readDraft } from '../../../lib/draft.ts';
import { toastError } from '../../../lib/toast.ts';
import { type ServerDraft, useServerDraft, useStoredValues } from '../drafts/use-server-draft.ts';
import { CampaignFormValues, emptyCampaign } from './campaign-form-values.ts';

/** A draft of the server with which a form opens. */
export interface OpenedDraft extends DraftVersion {
  values: CampaignFormValues;
}

/** A draft of the server for the form. Throws where the form cannot show it. */
export function openedDraft({ uuid, version, values }: Draft): OpenedDraft {
  const parsed = CampaignFormValues.safeParse({ ...emptyCampaign, ...values });
  if (!parsed.success) throw new Error(screenMessages.draftUnreadable);
  return { uuid, version, values: parsed.data };
}

/** The draft of a campaign's form in this browser (`key`) and on the server, and what leaving the form does to it. */
export function useCampaignDraft(campaignUuid: string | undefined, opened: OpenedDraft | undefined) {
  const key = opened ? `campaign.draft.${opened.uuid}` : `campaign.${campaignUuid ?? 'new'}`;
  const [hasTyped] = useState(() => readDraft(key, CampaignFormValues) !== null);
  const stored = useServerDraft({ key: `${key}.stored`, opened: opened ?? null, hasTyped });
  const { saver, state } = stored;
  return {
    key,
    stored,
    leaving: {
      // What the server has of an opened draft needs neither a copy in this browser nor a question.
      isStored: opened !== undefined && state.status === 'saved',
      asksBeforeLeaving: opened === undefined || ['away', 'conflict', 'rejected'].includes(state.status),
      isShared: state.draft !== null,
      onDiscard:
        campaignUuid === undefined && opened === undefined
          ? () => void saver.discard().catch(toastError)
          : undefined,
      onReset: () => (opened ? saver.take(opened) : saver.reset()),
    },
  };
}

/**
 * Stores the values of the form; null if there is nothing to store. Returns a function that shows the draft as someone else
 * left it, which throws ApiError.
 */
export function useShownDraft(
  stored: ServerDraft,
  values: CampaignFormValues | null,
  onTake: (values: CampaignFormValues) => void,
): (uuid: string) => Promise<void> {
  useStoredValues(stored, values);
  return async (uuid) => {
    const taken = openedDraft(await queryClient.fetchQuery(draftQuery(uuid)));
    stored.saver.take(taken);
    onTake(taken.values);
  };
}
