import type {
  Confirmation,
  ConfirmedUntil,
  NewAuthenticator,
  RecoveryCodes,
  SecondFactors,
  SignInSession,
} from '@bidwell/contract/accounts/sign-in';
import type {
  AddedPasskey,
  CreationOptions,
  NewPasskey,
  Passkey,
  RequestOptions,
} from '@bidwell/contract/accounts/passkey';
import * as passkeyEndpoints from '@bidwell/contract/accounts/passkey-endpoints';
import * as endpoints from '@bidwell/contract/accounts/sign-in-endpoints';
import { api } from '../../../lib/api/api-client.ts';

/** The calls on sessions, passkeys and recovery codes, of a person or of an operator. */
export interface SessionCalls {
  /** Whose they are, as the first part of query keys. */
  of: 'person' | 'operator';
  sessions: () => Promise<ConfirmedUntil & { sessions: SignInSession[] }>;
  endSession: (uuid: string) => Promise<unknown>;
  /** Resolves to the number of ended sessions. */
  endOtherSessions: () => Promise<{ ended: number }>;
  confirm: (confirmation: Confirmation) => Promise<ConfirmedUntil>;
  secondFactors: () => Promise<SecondFactors>;
  renewRecoveryCodes: () => Promise<RecoveryCodes>;
  startPasskeyConfirmation: () => Promise<RequestOptions>;
  passkeys: () => Promise<Passkey[]>;
  startPasskey: () => Promise<CreationOptions>;
  /** The response has recovery codes, which are shown only then, with the first second factor of a person. */
  addPasskey: (passkey: NewPasskey) => Promise<AddedPasskey>;
  renamePasskey: (uuid: string, name: string) => Promise<unknown>;
  removePasskey: (uuid: string) => Promise<unknown>;
}

/** The calls on how a person signs in. */
export interface SignInCalls extends SessionCalls {
  startAuthenticator: () => Promise<NewAuthenticator>;
  /** The response has recovery codes as {@link addPasskey}. */
  enableAuthenticator: (code: string) => Promise<RecoveryCodes>;
  removeAuthenticator: () => Promise<unknown>;
}

export const personCalls: SignInCalls = {
  of: 'person',
  sessions: () => api.call(endpoints.listSessions),
  endSession: (uuid) => api.call(endpoints.endSession, { params: { uuid } }),
  endOtherSessions: () => api.call(endpoints.endOtherSessions),
  confirm: (body) => api.call(endpoints.confirm, { body }),
  secondFactors: () => api.call(endpoints.readSecondFactors),
  startAuthenticator: () => api.call(endpoints.startAuthenticator),
  enableAuthenticator: (code) => api.call(endpoints.enableAuthenticator, { body: { code } }),
  removeAuthenticator: () => api.call(endpoints.removeAuthenticator),
  renewRecoveryCodes: () => api.call(endpoints.renewRecoveryCodes),
  passkeys: () => api.call(passkeyEndpoints.listPasskeys),
  startPasskey: () => api.call(passkeyEndpoints.startPasskey),
  addPasskey: (body) => api.call(passkeyEndpoints.addPasskey, { body }),
  renamePasskey: (uuid, name) =>
    api.call(passkeyEndpoints.renamePasskey, { params: { uuid }, body: { name } }),
  removePasskey: (uuid) => api.call(passkeyEndpoints.removePasskey, { params: { uuid } }),
  startPasskeyConfirmation: () => api.call(passkeyEndpoints.startPasskeyConfirmation),
};
