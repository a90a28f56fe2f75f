import type { CreatedPasskey, PasskeyAssertion } from '@bidwell/contract/accounts/passkey';
import {
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { type ChallengeUse, challengeExpiry, spendChallenge } from './challenge.ts';
import { type PasskeyRow, findPasskey, notePasskeyUse } from './passkey-store.ts';
import { acceptedOrigins, relyingPartyId } from './relying-party.ts';

/** Algorithms of keys, as COSE numbers them: ES256, EdDSA and RS256. */
export const ALGORITHMS = [-7, -8, -257];

/** What an authenticator says of a passkey that it made. */
type MadePasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'sign_count' | 'transports' | 'synced'>;

/**
 * Verifies what a browser made of creation options, and ends their challenge: section 7.1 of Web Authentication, level 3. Null where it is not
 * accepted; logs why.
 */
export async function verifyCreation(
  ctx: Context,
  db: Db,
  use: ChallengeUse,
  { response, ...credential }: CreatedPasskey,
): Promise<MadePasskey | null> {
  const origins = await acceptedOrigins(db, ctx.config, use.of);
  const challenge = expectedChallenge(ctx, use);
  const verified = await rejected(ctx, async () => {
    requirePlainAttestation(response.attestationObject);
    return verifyRegistrationResponse({
      response: {
        ...credential,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: response.attestationObject,
        },
      },
      expectedChallenge: challenge.accepts,
      expectedOrigin: origins,
      expectedRPID: relyingPartyId(ctx.config),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
  });
  if (!verified?.verified || verified.registrationInfo.credential.id !== credential.id) return null;
  if (!(await challenge.spend(db))) return null;
  return madePasskey(verified.registrationInfo, response.transports ?? []);
}

function madePasskey(
  { credential, credentialBackedUp }: NonNullable<VerifiedRegistrationResponse['registrationInfo']>,
  transports: string[],
): MadePasskey {
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    sign_count: credential.counter,
    transports,
    synced: credentialBackedUp,
  };
}

/**
 * Throws for an attestation with certificates, which nobody asked for (section 5.4.7 of Web Authentication): the library would read them, and fetch revocation
 * lists that they name.
 */
function requirePlainAttestation(attestationObject: string): void {
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  const isSelfSigned = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isSelfSigned) throw new Error(`An attestation of the format ${format}`);
}

/** A passkey that answered; `isCopied` where its counter went back, so that the answer does not count. */
interface AnsweredPasskey {
  passkey: PasskeyRow;
  isCopied: boolean;
}

/**
 * Verifies the answer of a passkey of an account to request options, and ends their challenge: section 7.2 of Web Authentication, level 3.
 * Null where it is not accepted; logs why. The caller has locked the account's row.
 */
export async function verifyAnswer(
  ctx: Context,
  db: Db,
  use: ChallengeUse & { accountUuid: string },
  { response, ...credential }: PasskeyAssertion,
): Promise<AnsweredPasskey | null> {
  const { accountUuid } = use;
  const passkey = await findPasskey(db, accountUuid, credential.id);
  if (!passkey || !isHandleOf(accountUuid, response.userHandle, use.purpose)) return null;
  const origins = await acceptedOrigins(db, ctx.config, use.of);
  const challenge = expectedChallenge(ctx, use);
  const { clientDataJSON, authenticatorData, signature } = response;
  const verified = await rejected(ctx, () =>
    verifyAuthenticationResponse({
      response: {
        ...credential,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge.accepts,
      expectedOrigin: origins,
      expectedRPID: relyingPartyId(ctx.config),
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        // The library compares counters before it verifies the signature: anybody who knows the id could raise an alarm.
        counter: 0,
      },
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified || !(await challenge.spend(db))) return null;
  const { newCounter } = verified.authenticationInfo;
  const isCopied = (newCounter > 0 || passkey.sign_count > 0) && newCounter <= passkey.sign_count;
  if (!isCopied) await notePasskeyUse(db, passkey.uuid, { signCount: newCounter, now: ctx.now() });
  return { passkey, isCopied };
}

/** The user handle of an account: its id, since it must not tell who somebody is. */
export function userHandleOf(accountUuid: string): string {
  return Buffer.from(accountUuid.replaceAll('-', ''), 'hex').toString('base64url');
}

/** A passkey that logs in alone says whose it is. */
function isHandleOf(
  accountUuid: string,
  handle: string | null | undefined,
  purpose: ChallengeUse['purpose'],
): boolean {
  if (handle === null || handle === undefined) return purpose !== 'log in';
  return handle === userHandleOf(accountUuid);
}

/** Accepts the challenge of a use, and ends the one that was accepted. */
function expectedChallenge(ctx: Context, use: ChallengeUse) {
  let accepted: { challenge: string; expiresAt: Date } | null = null;
  return {
    // The library hands on whatever the client data have: of `{ "length": 4e9 }` a buffer of that size would be made.
    accepts(challenge: unknown): boolean {
      if (typeof challenge !== 'string') return false;
      const expiresAt = challengeExpiry(ctx, use, challenge);
      accepted = expiresAt && { challenge, expiresAt };
      return expiresAt !== null;
    },
    async spend(db: Db): Promise<boolean> {
      return accepted !== null && spendChallenge(db, accepted.challenge, accepted.expiresAt);
    },
  };
}

/** Null for an answer at which the library throws: it does for whatever is wrong with one. */
async function rejected<T>({ log }: Context, verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch (err) {
    log.info({ err }, 'a passkey was not accepted');
    return null;
  }
}
