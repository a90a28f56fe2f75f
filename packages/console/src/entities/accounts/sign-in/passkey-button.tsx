import { useSave } from '../../../ui/form/use-save.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { offersPasskeys } from './browser-passkeys.ts';

interface PasskeyButtonProps<Answer> {
  label: string;
  /** Asks the browser for a passkey, and sends its response. */
  send: () => Promise<Answer>;
  onPassed: (answer: Answer) => unknown;
  /** Shows a failure in place; else it is a toast. */
  onFailure?: (error: unknown) => void;
}

/** Logs in by a passkey; nothing if the browser has none at this address. */
export function PasskeyButton<Answer>({ label, send, onPassed, onFailure }: PasskeyButtonProps<Answer>) {
  const { save, busy } = useSave({
    send,
    onSaved: onPassed,
    ...(onFailure && { onFailure, shownInPlace: true }),
  });
  if (!offersPasskeys()) return null;
  return (
    <SecondaryButton loading={busy} onClick={() => save()} fullWidth>
      {label}
    </SecondaryButton>
  );
}
