import type { ProfileInput, User } from '@bidwell/contract/accounts/schema';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { messages } from '@bidwell/contract/text/messages';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../context.ts';
import { Forbidden, Invalid, NotFound } from '../../platform/errors.ts';
import { discardFile, noteUnusedFiles } from '../../platform/files/unused-files.ts';
import { type ImageLibrary, workOnImage } from '../../platform/files/images.ts';
import type { Session } from '../../platform/http/auth/auth.ts';
import { normalAddress } from '../../platform/mail/normal-address.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { type Db, transact } from '../../platform/postgres/transaction.ts';
import { recordChange } from '../changes/public.ts';
import { queueConfirmation } from './address-confirmation.ts';
import { revokeOwnApiTokens } from './tokens/api-tokens.ts';
import { assertNotGuessable, hashPassword, isPassword } from './passwords/password.ts';
import { deleteResetsOf } from './passwords/password-reset.ts';
import { presentUser } from './service.ts';
import { findLiveSession, revokeOtherSessions } from './sessions/session-store.ts';
import { requireConfirmed } from './sign-in/confirmation.ts';
import { notifyPerson } from './sign-in/notify-person.ts';
import { noteFormerAddress } from './people/former-people-store.ts';
import { mailDomainOf } from './sso/domains.ts';
import { requireOwnLogin } from './sso/settings.ts';
import { companiesRequiringSso, isDomainOfCompanies, isWithProvider } from './sso/provider-store.ts';
import { type UserWithCompany, findUser, insertAvatar, lockUser, updateUser } from './store.ts';
import { requireExpected } from '../../platform/expected-version.ts';
import { deleteOwned } from '../../platform/postgres/stores/owned-store.ts';

const AVATAR_PX = 256;
const pictureFormats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

/** Content of a new picture, or whether to keep or remove the present one. */
export type AvatarChange = Buffer | 'keep' | 'remove';

/** Time after login during which the password can be changed without the current one. */
const REAUTHENTICATE_AFTER_MS = 10 * 60_000;

/** A change of a user's profile; waiting work is given up when `signal` aborts. */
interface ProfileChange {
  userId: string;
  fields: ProfileInput;
  avatar: AvatarChange;
  signal: AbortSignal;
  /** Counts a new mail address, of which the former one is notified; throws RateLimited beyond the limit of a person. */
  countAddress: () => Promise<void>;
}

/** The user's session, and the signal that aborts when they have left. */
type Caller = Session & Pick<ProfileChange, 'signal'>;

/**
 * Updates the user's own profile. A new password ends all other sessions of the user. Throws Invalid for a wrong or missing
 * current password, and for an address of a company's domain; Forbidden in a session by single sign-on,
 * for a new mail address where that is required, and for one that {@link opensAccount} without a recent proof of who they are or the current password; RateLimited and Unavailable if too many passwords or images are waiting.
 */
export async function updateProfile(
  ctx: Context,
  actor: Session,
  { userId, fields, avatar, signal, countAddress }: ProfileChange,
): Promise<User> {
  requirePermission(actor, 'user.write');
  if (userId !== actor.userId) throw new NotFound('User');
  requireOwnLogin(actor);
  const caller = { ...actor, signal };
  const {
    password,
    password_confirmation: _confirmation,
    current_password,
    revoke_api_tokens,
    ...person
  } = fields;
  if (password)
    await checkNewPassword(ctx, caller, { password, current: current_password, email: person.email });
  const passwordHash = password ? await hashPassword(password, userId, signal) : null;
  const picture = Buffer.isBuffer(avatar) ? await storePicture(ctx, caller, avatar) : null;
  let written;
  try {
    const changes = {
      person,
      passwordHash,
      isProved: passwordHash !== null && Boolean(current_password),
      revokesApiTokens: revoke_api_tokens,
      picture,
      removed: avatar === 'remove',
      countAddress,
    };
    written = await write(ctx, actor, changes);
  } catch (error) {
    if (picture) await discardFile(ctx, picture.uuid);
    throw error;
  }
  if (written.replaced) await discardFile(ctx, written.replaced);
  return written.user;
}

/** Throws Invalid unless the current password is right, or is absent and the login was recent. */
async function checkNewPassword(
  ctx: Context,
  session: Caller,
  { password, current, email }: { password: string; current: string; email: string },
): Promise<void> {
  const user = await findUser(ctx.db, session.companyId, session.userId);
  const live = await findLiveSession(ctx.db, session);
  if (!user || !live) throw new NotFound('User');
  const isOld = ctx.now().getTime() - live.loggedInAt.getTime() > REAUTHENTICATE_AFTER_MS;
  const field = 'current_password';
  if (isOld && !current) throw new Invalid([{ field, message: accountMessages.currentPasswordNeeded }]);
  if (current && !(await isPassword(user.password_hash, current, session.userId, session.signal)))
    throw new Invalid([{ field, message: accountMessages.currentPasswordWrong }]);
  assertNotGuessable(password, { login: user.login, email });
}

interface Changes {
  person: Pick<ProfileInput, 'email' | 'first_name' | 'last_name' | 'contact'>;
  passwordHash: string | null;
  /** Whether the right current password came with it. */
  isProved: boolean;
  /** With a new password: also revoke the user's API tokens. */
  revokesApiTokens: boolean;
  picture: Awaited<ReturnType<typeof storePicture>> | null;
  removed: boolean;
  countAddress: ProfileChange['countAddress'];
}

/**
 * Whether a mail address lets a person into the account: by a link for a new password, or at a company's provider. It also
 * counts for a person with a second factor, who expects the proof for every change of the login.
 */
async function opensAccount({ mailer }: Context, db: Db, user: UserWithCompany): Promise<boolean> {
  return mailer !== null || user.has_factor || (await isWithProvider(db, user.uuid));
}

/**
 * Throws Invalid for an address at a mail domain that a company of theirs has proven, unless they own it: its provider says who has which
 * address. A person with a colleague's address would be taken for the colleague by others, and the colleague's first sign-in would lead to this account.
 * Throws Forbidden for a person whose company requires single sign-on, or whose address has a domain for which one does.
 */
async function requireOwnAddress(db: Db, userId: string, email: string): Promise<void> {
  if (await isDomainOfCompanies(db, userId, mailDomainOf(email)))
    throw new Invalid([{ field: 'email', message: accountMessages.mailDomainOfCompany }]);
  if ((await companiesRequiringSso(db, userId)).length > 0) throw new Forbidden(accountMessages.ssoRequired);
}

async function write(
  ctx: Context,
  session: Session,
  { person, passwordHash, isProved, revokesApiTokens, picture, removed, countAddress }: Changes,
): Promise<{ user: User; replaced: string | null }> {
  const { userId } = session;
  return transact(ctx.db, async (tx) => {
    const now = ctx.now();
    await lockUser(tx.db, userId);
    const before = await findUser(tx.db, session.companyId, userId);
    if (!before) throw new NotFound('User');
    await requireExpected(() => presentUser(ctx, before, session));
    const isOtherMailbox = normalAddress(person.email) !== normalAddress(before.email);
    if (person.email !== before.email) {
      await countAddress();
      await requireOwnAddress(tx.db, userId, person.email);
      if (!isProved && (await opensAccount(ctx, tx.db, before))) await requireConfirmed(ctx, session, tx.db);
      await noteFormerAddress(tx.db, { userId, email: before.email, at: now });
      // While the former address is the person's: the mail goes there.
      await notifyPerson(ctx, tx, session, notificationMessages.emailChanged);
    }
    // Stored under one company, whichever they act for, so that the next picture replaces it in all of them.
    if (picture) await insertAvatar(tx.db, before.company_uuid, { ...picture, created_at: now });
    await updateUser(tx.db, userId, {
      ...person,
      ...(isOtherMailbox && { email_confirmed_at: null }),
      ...(passwordHash && { password_hash: passwordHash, one_time_password_until: null }),
      ...((picture || removed) && { avatar_file_uuid: picture?.uuid ?? null }),
      updated_at: now,
    });
    const owner = { kind: 'person_address', uuid: userId } as const;
    if (isOtherMailbox) await queueConfirmation(ctx, tx, owner, person.email);
    const replaced = picture || removed ? before.avatar_file_uuid : null;
    if (replaced) await deleteOwned(tx.db, 'files', before.company_uuid, replaced);
    if (passwordHash || person.email !== before.email) await deleteResetsOf(tx.db, userId);
    if (passwordHash) {
      const ended = await revokeOtherSessions(tx.db, userId, session.sessionId, now);
      tx.afterCommit(() => ctx.onSessionsEnded(ended));
      if (revokesApiTokens) await revokeOwnApiTokens(ctx, tx, session);
    }
    const after = presentUser(ctx, (await findUser(tx.db, session.companyId, userId))!, session);
    const tracked = { company: undefined, ...(passwordHash && { password: 'changed' }) };
    await recordChange(ctx, tx, session, {
      entity: 'user',
      uuid: userId,
      name: before.login,
      before: { ...presentUser(ctx, before, session), company: undefined },
      after: { ...after, ...tracked },
    });
    return { user: after, replaced };
  });
}

/** Re-encodes the picture, to store nothing but pixels. */
async function storePicture(ctx: Context, { companyId, signal }: Caller, bytes: Buffer) {
  const encode = async (open: ImageLibrary) => {
    try {
      const picture = open(bytes, { limitInputPixels: 50_000_000 });
      // SVG and PDF, which the library also reads, can contain scripts and references.
      if (!pictureFormats.has((await picture.metadata()).format)) throw new TypeError('No picture');
      return await picture.rotate().resize(AVATAR_PX, AVATAR_PX, { fit: 'cover' }).png().toBuffer();
    } catch {
      throw new Invalid([{ field: 'avatar', message: messages.invalidFileType }]);
    }
  };
  const png = await workOnImage(companyId, encode, signal);
  const uuid = uuidv7();
  await noteUnusedFiles(ctx.db, [uuid]);
  await ctx.files.write(uuid, Readable.from(png));
  const sha256 = createHash('sha256').update(png).digest('hex');
  return { uuid, size_bytes: png.length, sha256, width: AVATAR_PX, height: AVATAR_PX };
}
