import { APPROVAL_FIELD } from '@bidwell/contract/approvals/schema';
import { ApiError } from '../../lib/api/api-error.ts';
import { toastError } from '../../lib/toast.ts';
import type { RequestedChange } from './approval-dialog.tsx';
import { actionCode } from '../../lib/load-code.ts';

/**
 * Asks whether to request an approval, where a change failed because a second person has to approve it. `onRequested` is
 * called once it was requested. Returns whether it asks: the dialog says why, so nothing else has to.
 */
export function offerApproval(error: unknown, change: RequestedChange, onRequested?: () => void): boolean {
  const reason = error instanceof ApiError ? error.fields[APPROVAL_FIELD] : undefined;
  if (reason === undefined) return false;
  // Most companies never need the dialog.
  actionCode(() => import('./approval-dialog.tsx')).then(
    ({ openRequest }) => openRequest(change, reason, onRequested),
    toastError,
  );
  return true;
}
