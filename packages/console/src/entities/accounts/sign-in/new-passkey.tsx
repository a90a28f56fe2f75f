import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { useState } from 'react';
import { toastSuccess } from '../../../lib/toast.ts';
import { makePasskey } from './browser-passkeys.ts';
import { PasskeyNameForm } from './passkey-name-form.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import type { SessionCalls } from './sign-in-calls.ts';

interface NewPasskeyFormProps {
  calls: SessionCalls;
  /** Called once the passkey is added, before `onDone`. */
  onAdded: () => void;
  /** Closes the form, also where nothing was added. */
  onDone: () => void;
}

/** Names a passkey, has the browser make it, then shows recovery codes where it is the first second factor. */
export function NewPasskeyForm({ calls, onAdded, onDone }: NewPasskeyFormProps) {
  const [recovery, setRecovery] = useState<readonly string[]>();
  if (recovery) return <RecoveryCodeList codes={recovery} onDone={onDone} />;
  return (
    <PasskeyNameForm
      name=""
      action="Continue"
      description="Give it a name that you recognize, such as the device. Your browser then asks where to store it."
      send={async (name) => {
        const credential = await makePasskey(await calls.startPasskey());
        return calls.addPasskey({ name, credential });
      }}
      onSaved={({ passkey, recovery_codes: codes }) => {
        onAdded();
        toastSuccess(screenMessages.passkeyAdded(passkey.name));
        if (codes.length > 0) setRecovery(codes);
        else onDone();
      }}
      onCancel={onDone}
    />
  );
}
