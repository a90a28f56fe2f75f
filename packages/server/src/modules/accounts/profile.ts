import type { ProfileInput, User } from '@bidwell/contract/account';
import { messages } from '@bidwell/contract/messages';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { v7 as uuidv7 } from 'uuid';
import type { Engines } from '../../engines.ts';
import { Invalid, NotFound } from '../../platform/errors.ts';
import type { Session } from '../../platform/http/auth.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { recordChange } from '../changes/service.ts';
import { hashPassword, readForm } from './service.ts';
import { revokeOtherSessions } from './session-store.ts';
import { deleteAvatar, findUser, insertAvatar, updateUser } from './store.ts';

const AVATAR_PX = 256;
const pictureFormats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

/** A new picture's bytes, 'keep' the present one, or 'remove' it. */
export type AvatarChange = Buffer | 'keep' | 'remove';

/** Updates one's own profile. A new password ends every other session of the user. */
export async function updateProfile(
  engines: Engines,
  session: Session,
  userId: string,
  input: ProfileInput,
  avatar: AvatarChange,
): Promise<User> {
  if (userId !== session.userId) throw new NotFound('User');
  const { password, password_confirmation: _confirmation, ...person } = input;
  const passwordHash = password ? await hashPassword(password) : null;
  const picture = Buffer.isBuffer(avatar) ? await storePicture(engines, avatar) : null;
  let written;
  try {
    const changes = { person, passwordHash, picture, removed: avatar === 'remove' };
    written = await write(engines, session, changes);
  } catch (error) {
    if (picture) await engines.files.remove(picture.uuid);
    throw error;
  }
  if (written.replaced) await engines.files.remove(written.replaced);
  return written.user;
}

interface Changes {
  person: Omit<ProfileInput, 'password' | 'password_confirmation'>;
  passwordHash: string | null;
  picture: Awaited<ReturnType<typeof storePicture>> | null;
  removed: boolean;
}

async function write(
  engines: Engines,
  session: Session,
  { person, passwordHash, picture, removed }: Changes,
): Promise<{ user: User; replaced: string | null }> {
  const { userId } = session;
  return transact(engines.db, async (tx) => {
    const now = engines.now();
    const before = await findUser(tx.db, session.companyId, userId);
    if (!before) throw new NotFound('User');
    if (picture) await insertAvatar(tx.db, session.companyId, { ...picture, created_at: now });
    await updateUser(tx.db, session.companyId, userId, {
      ...person,
      ...(passwordHash && { password_hash: passwordHash }),
      ...((picture || removed) && { avatar_file_uuid: picture?.uuid ?? null }),
      updated_at: now,
    });
    const replaced = picture || removed ? before.avatar_file_uuid : null;
    if (replaced) await deleteAvatar(tx.db, session.companyId, replaced);
    if (passwordHash) {
      const ended = await revokeOtherSessions(tx.db, userId, session.sessionId, now);
      tx.afterCommit(() => engines.endedSessions.add(ended));
    }
    const after = readForm((await findUser(tx.db, session.companyId, userId))!);
    const tracked = { company: undefined, ...(passwordHash && { password: 'changed' }) };
    await recordChange(engines, tx, session, {
      entity: 'user',
      uuid: userId,
      name: before.login,
      action: 'update',
      before: { ...readForm(before), company: undefined },
      after: { ...after, ...tracked },
    });
    return { user: after, replaced };
  });
}

/** Re-encodes the picture, so that nothing but pixels of it is kept. */
async function storePicture(engines: Engines, bytes: Buffer) {
  let png: Buffer;
  try {
    const picture = sharp(bytes, { limitInputPixels: 50_000_000 });
    // Of what the library reads, drawings and documents are programs of their own.
    if (!pictureFormats.has((await picture.metadata()).format)) throw new TypeError('No picture');
    png = await picture.rotate().resize(AVATAR_PX, AVATAR_PX, { fit: 'cover' }).png().toBuffer();
  } catch {
    throw new Invalid([{ field: 'avatar', message: messages.invalidFileType }]);
  }
  const uuid = uuidv7();
  await engines.files.write(uuid, Readable.from(png));
  const sha256 = createHash('sha256').update(png).digest('hex');
  return { uuid, size_bytes: png.length, sha256, width: AVATAR_PX, height: AVATAR_PX };
}
