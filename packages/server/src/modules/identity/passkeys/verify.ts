import {
  type CreatedPasskey,
  type PasskeyAssertion,
  PASSKEY_SECONDS,
} from '@bidwell/contract/accounts/passkey';
import {
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { type PasskeyRow, findPasskey, notePasskeyUse, insertAnsweredChallenge } from './passkey-store.ts';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashToken } from '../sessions/access-tokens.ts';
import type { Config } from '../../../config/config.ts';
import { findBrand } from '../../../platform/brand/brand-reader.ts';
import { consoleOrigins } from '../../../platform/brand/page-brand.ts';
import { type PublicAddress, publicUrlOf } from '../../../platform/http/public-url.ts';

/** Algorithms of keys, as COSE numbers them: ES256, EdDSA and RS256. */
export const ALGORITHMS = [-7, -8, -257];

/** An authenticator's data about a passkey that it created. */
type MadePasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'sign_count' | 'transports' | 'synced'>;

/**
 * Verifies a browser's response to creation options, and ends their challenge: section 7.1 of Web Authentication, level 3. Null where it is not
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
 * Throws for an attestation with certificates, which the server does not ask for (section 5.4.7 of Web Authentication): the library would read them, and fetch revocation
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
        // The library compares counters before it verifies the signature: anyone who knows the id could raise an alarm.
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

/** The user handle of an account: its id, since it must not identify the person. */
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
    // The library does not check the client data: it would allocate a buffer of 4 GB for `{ "length": 4e9 }`.
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

/** Null for an answer at which the library throws, as it does for any invalid one. */
async function rejected<T>({ log }: Context, verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch (err) {
    log.info({ err }, 'a passkey was not accepted');
    return null;
  }
}

/** The purpose and the holder of a challenge: an answer counts only for both. */
export interface ChallengeUse {
  /** Whose account is meant: a person's passkey logs in no operator. */
  of: 'person' | 'operator';
  purpose: 'create' | 'confirm' | 'log in' | 'second factor';
  /** The id of a session, or the secret of a browser. */
  holder: string;
}

type Needs = Pick<Context, 'config' | 'now'>;

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const HEAD_BYTES = NONCE_BYTES + TIME_BYTES;

/**
 * A challenge: random bytes and the time of its end, signed with its purpose, in base64url. Visitors get any number of them, so
 * none is stored before it is answered.
 */
export function newChallenge(ctx: Needs, use: ChallengeUse): string {
  const head = Buffer.alloc(HEAD_BYTES);
  randomBytes(NONCE_BYTES).copy(head);
  head.writeUIntBE(ctx.now().getTime() + PASSKEY_SECONDS * 1000, NONCE_BYTES, TIME_BYTES);
  return Buffer.concat([head, challengeSignature(ctx, use, head)]).toString('base64url');
}

/** When a challenge of this use expires; null for one that has, or that is of no such use. */
function challengeExpiry(ctx: Needs, use: ChallengeUse, challenge: string): Date | null {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, HEAD_BYTES);
  const signed = challengeSignature(ctx, use, head);
  const given = bytes.subarray(HEAD_BYTES);
  if (given.length !== signed.length || !timingSafeEqual(given, signed)) return null;
  const expiresAt = new Date(head.readUIntBE(NONCE_BYTES, TIME_BYTES));
  return expiresAt > ctx.now() ? expiresAt : null;
}

/** Ends a challenge that {@link challengeExpiry} accepted; false if it was answered before. */
async function spendChallenge(db: Db, challenge: string, expiresAt: Date): Promise<boolean> {
  // The bytes, since one challenge can be written in several ways.
  const hash = hashToken(Buffer.from(challenge, 'base64url').toString('hex'));
  return insertAnsweredChallenge(db, { challenge_hash: hash, expires_at: expiresAt });
}

function challengeSignature(
  { config }: Pick<Context, 'config'>,
  { of, purpose, holder }: ChallengeUse,
  head: Buffer,
) {
  // Challenges of people are signed as in the previous release, whose processes may still run.
  const use = of === 'person' ? [purpose, holder] : [of, purpose, holder];
  return createHmac('sha256', `passkey challenge:${config.signingSecret}`)
    .update(JSON.stringify(use))
    .update(head)
    .digest();
}

/**
 * The id of the relying party (section 4 of Web Authentication, level 3): the host of the public address of the configuration, never the host of a
 * call. Browsers offer passkeys on https and localhost only, and for no IP address.
 */
export function relyingPartyId(config: PublicAddress): string {
  return new URL(publicUrlOf(config)).hostname;
}

/**
 * The origins at which its passkeys are used: the public address and the domains of the brand, never the origin of a call; for operators also
 * the host of the public address at the port of the operator console.
 */
async function acceptedOrigins(
  db: Db,
  config: PublicAddress & Pick<Config, 'admin'>,
  of: ChallengeUse['of'],
): Promise<string[]> {
  const origins = consoleOrigins(await findBrand(db), config);
  if (of === 'person' || !config.admin) return origins;
  const operators = new URL(publicUrlOf(config));
  operators.port = String(config.admin.port);
  return [...origins, operators.origin];
}
