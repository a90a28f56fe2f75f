import type {
  CreatedPasskey,
  CreationOptions,
  PasskeyAssertion,
  RequestOptions,
} from '@bidwell/contract/accounts/passkey';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { actionCode } from '../../../lib/load-code.ts';

/** Whether the browser uses passkeys here: on https and localhost, and not at an IP address. */
export function offersPasskeys(): boolean {
  const isNumbered = /^\[|^[\d.]+$/.test(location.hostname);
  return 'PublicKeyCredential' in globalThis && !isNumbered;
}

/** Has the browser make a passkey. Throws an error with a sentence where it does not. */
export async function makePasskey(options: CreationOptions): Promise<CreatedPasskey> {
  const { startRegistration } = await actionCode(() => import('@simplewebauthn/browser'));
  const { id, rawId, response } = await said(startRegistration({ optionsJSON: options }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** Asks the browser for a passkey. Throws an error with a sentence if it gives none. */
export async function answerByPasskey(options: RequestOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await actionCode(() => import('@simplewebauthn/browser'));
  const { id, rawId, response } = await said(startAuthentication({ optionsJSON: options }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
  };
}

/** A browser rejects with an error name, without a sentence for its user. */
async function said<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError')
      throw new Error(screenMessages.passkeyCancelled, { cause: error });
    if (name === 'InvalidStateError') throw new Error(screenMessages.passkeyOnDevice, { cause: error });
    throw new Error(screenMessages.passkeyFailed, { cause: error });
  }
}
