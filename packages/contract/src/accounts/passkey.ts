import { z } from 'zod';
import { limits } from '../lib/limits.ts';
import { Timestamp, Uuid, title } from '../lib/wire.ts';
import { accountMessages } from './messages.ts';

/** Seconds in which the browser answers a challenge. */
export const PASSKEY_SECONDS = 300;

/** A passkey of the caller: a key pair whose private half a device or a password manager holds. */
export const Passkey = z.object({
  uuid: Uuid,
  name: z.string(),
  /** Whether it is kept by a password manager on several devices, as the device says. */
  is_synced: z.boolean(),
  created_at: Timestamp,
  /** Null before the first login by it. */
  last_used_at: Timestamp.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

export const PasskeyName = z.object({ name: title() });
export type PasskeyName = z.infer<typeof PasskeyName>;

/** Bytes in the alphabet of section 5 of RFC 4648, without padding. */
const bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, accountMessages.passkeyResponse)
    .max(max, accountMessages.passkeyResponse);

/** How a browser may reach a passkey: `usb`, `internal`, `hybrid` and others. */
const Transports = z.array(z.string().max(limits.passkeyTransportMax)).max(limits.passkeyTransportsMax);

const credential = {
  id: bytes(limits.passkeyIdMax),
  rawId: bytes(limits.passkeyIdMax),
  type: z.literal('public-key', accountMessages.passkeyResponse),
};

/** The browser's response to {@link CreationOptions}: RegistrationResponseJSON of Web Authentication, level 3. */
export const CreatedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(limits.passkeyDataMax),
    attestationObject: bytes(limits.passkeyDataMax),
    transports: Transports.optional(),
  }),
});
export type CreatedPasskey = z.infer<typeof CreatedPasskey>;

/** The browser's response to {@link RequestOptions}: AuthenticationResponseJSON of Web Authentication, level 3. */
export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(limits.passkeyDataMax),
    authenticatorData: bytes(limits.passkeyDataMax),
    signature: bytes(limits.passkeyDataMax),
    userHandle: bytes(limits.passkeyIdMax).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

export const NewPasskey = PasskeyName.extend({ credential: CreatedPasskey });
export type NewPasskey = z.infer<typeof NewPasskey>;

export const PasskeyLogin = z.object({ credential: PasskeyAssertion });
export type PasskeyLogin = z.infer<typeof PasskeyLogin>;

/** Recovery codes come with the first second factor and are shown only here; otherwise there are none. */
export const AddedPasskey = z.object({ passkey: Passkey, recovery_codes: z.array(z.string()) });
export type AddedPasskey = z.infer<typeof AddedPasskey>;

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});

/** For `navigator.credentials.create`: PublicKeyCredentialCreationOptionsJSON of Web Authentication, level 3. */
export const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type CreationOptions = z.infer<typeof CreationOptions>;

/** For `navigator.credentials.get`: PublicKeyCredentialRequestOptionsJSON of Web Authentication, level 3. */
export const RequestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal('required'),
  /** Empty where any passkey of the browser may answer. */
  allowCredentials: z.array(Descriptor),
});
export type RequestOptions = z.infer<typeof RequestOptions>;
