import type { ModerationItem } from '@bidwell/contract/moderation/schema';
import { failureText } from '../../lib/api/api-error.ts';
import { refetchReviewQueue, removeDecided, sendDecisions } from '../../entities/moderation/queries.ts';
import { onOperatorLogOut } from '../../entities/operator-accounts/session-queries.ts';
import { toastError } from '../../lib/toast.ts';
import { DecisionOutbox } from './decision-outbox.ts';

/** The page's decisions on their way to the server. They outlive the screen, so that leaving it loses none. */
export const outbox = new DecisionOutbox({
  send: sendDecisions,
  onSent(decided, others) {
    removeDecided(new Set(decided.map(({ uuid }) => uuid)));
    if (others.length === 0) return;
    toastError(new Error(changedText(others)));
    void refetchReviewQueue();
  },
  errorText: failureText,
});

function changedText(items: readonly ModerationItem[]): string {
  const [first] = items;
  return items.length === 1
    ? `“${first!.name}” was changed or decided on meanwhile. Look at it again.`
    : `${items.length} items were changed or decided on meanwhile. Look at them again.`;
}

onOperatorLogOut(() => outbox.flush());
window.addEventListener('pagehide', () => void outbox.flush());
// A hidden page may be ended without another event.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void outbox.flush();
});
window.addEventListener('beforeunload', (event) => {
  if (outbox.pending().some(({ state }) => state === 'failed')) event.preventDefault();
});
