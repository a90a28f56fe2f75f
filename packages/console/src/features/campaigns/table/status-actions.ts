import type { AdsetSummary, AdsetStatus } from '@bidwell/contract/adsets/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { useQueryClient } from '@tanstack/react-query';
import { failureText } from '../../../lib/api/api-error.ts';
import { useState } from 'react';
import { forEachConcurrent } from '../../../lib/concurrent.ts';
import { readPresent } from '../../../lib/api/present-entities.ts';
import { adsetsQuery, updateAdset } from '../../../entities/campaigns/adset-queries.ts';
import { offerApproval } from '../../../entities/campaigns/offer-approval.ts';
import { campaignsQuery, pauseCampaign, startCampaign } from '../../../entities/campaigns/queries.ts';
import { toastError, toastSuccess } from '../../../lib/toast.ts';
import { toastUndo } from '../../../ui/layout/undo-toast.tsx';

/** A campaign or an ad set, which can be started and paused. */
export type Startable = { kind: 'campaign'; item: Campaign } | { kind: 'adset'; item: AdsetSummary };

/** Concurrency limit of a bulk change. */
const CONCURRENCY = 4;

/**
 * Starts and pauses with an optimistic update: on an error the previous status returns and the server's reason is
 * shown. `busy` holds the ids of pending changes.
 */
export function useStatusActions() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const show = ({ kind, item }: Startable, status: AdsetStatus) => {
    const changed = <Item extends { uuid: string }>(items: Item[] | undefined) =>
      items?.map((other) => (other.uuid === item.uuid ? { ...other, status } : other));
    if (kind === 'campaign') queries.setQueryData(campaignsQuery.queryKey, changed);
    else queries.setQueryData(adsetsQuery.queryKey, changed);
  };

  /** Resolves to the error, or to null on success. */
  const setStatus = async (one: Startable, status: AdsetStatus): Promise<unknown> => {
    const { kind, item } = one;
    setBusy((before) => new Set(before).add(item.uuid));
    // A list requested earlier would overwrite the new status.
    await queries.cancelQueries({ queryKey: [kind] });
    show(one, status);
    try {
      if (kind === 'adset') await updateAdset(item.uuid, { status });
      else await (status === 'Active' ? startCampaign : pauseCampaign)(item.uuid);
      return null;
    } catch (error) {
      show(one, item.status);
      return error;
    } finally {
      setBusy((before) => new Set([...before].filter((uuid) => uuid !== item.uuid)));
    }
  };

  /** How an undo restores the status of the rows that were changed to `status`. */
  const undoOf = (changed: readonly Startable[], status: AdsetStatus) => ({
    items: changed,
    readUnchanged: async () => {
      const [adsets, campaigns] = await Promise.all([readPresent(adsetsQuery), readPresent(campaignsQuery)]);
      return changed.filter(
        ({ kind, item: { uuid } }) => (kind === 'adset' ? adsets : campaigns).get(uuid)?.status === status,
      );
    },
    restore: async (one: Startable) => {
      const error = await setStatus(withStatus(one, status), one.item.status);
      if (error !== null) throw error;
    },
  });

  const toggle = async (one: Startable): Promise<void> => {
    const status = one.item.status === 'Active' ? 'Paused' : 'Active';
    const error = await setStatus(one, status);
    if (error === null)
      toastUndo(
        consoleMessages[status === 'Active' ? 'isRunning' : 'isPaused'](one.item.name),
        undoOf([one], status),
      );
    else if (!offerApprovalOf(one, error)) toastError(new Error(failureMessage(one, status, error)));
  };

  /** Sets the status of all rows that do not have it already. */
  const setAll = async (all: readonly Startable[], status: AdsetStatus): Promise<void> => {
    const waiting = all.filter(({ item }) => item.status !== status);
    const failures: string[] = [];
    const changed: Startable[] = [];
    await forEachConcurrent(waiting, CONCURRENCY, async (one) => {
      const error = await setStatus(one, status);
      if (error === null) changed.push(one);
      else failures.push(failureMessage(one, status, error));
    });
    const count = waiting.length;
    const word = wordOf(status);
    if (count === 0) toastSuccess(consoleMessages.statusUnchanged(word));
    if (changed.length > 0)
      toastUndo(consoleMessages.statusChanged(changed.length, word), undoOf(changed, status));
    for (const text of failures.slice(0, 3)) toastError(new Error(text));
    if (failures.length > 3)
      toastError(new Error(consoleMessages.statusFailedMore(failures.length - 3, word)));
  };

  return { busy, toggle, setAll };
}

/** Asks whether to request an approval, where the start of a campaign or an ad set needs one. Returns whether it asks. */
function offerApprovalOf({ kind, item }: Startable, error: unknown): boolean {
  if (kind === 'campaign') return offerApproval(error, { campaign_uuid: item.uuid, start: true });
  return (
    item.campaign !== null &&
    offerApproval(error, {
      campaign_uuid: item.campaign.uuid,
      adsets: [{ uuid: item.uuid, status: 'Active' }],
    })
  );
}

function withStatus(one: Startable, status: AdsetStatus): Startable {
  return one.kind === 'campaign'
    ? { ...one, item: { ...one.item, status } }
    : { ...one, item: { ...one.item, status } };
}

function failureMessage({ item }: Startable, status: AdsetStatus, error: unknown): string {
  return consoleMessages.statusFailed(item.name, wordOf(status), failureText(error));
}

function wordOf(status: AdsetStatus): 'started' | 'paused' {
  return status === 'Active' ? 'started' : 'paused';
}
