import type { Brand, BrandSettings } from '@bidwell/contract/branding/schema';
import type { Context } from '../../../context.ts';
import { senderOf } from '../../../platform/brand/branded-mail.ts';
import {
  type BrandRow,
  deleteUnusedLogos,
  findBrand,
  findLogo,
  insertLogo,
  lockBrand,
  saveBrand,
  type LogoRow,
} from '../../../platform/brand/brand-reader.ts';
import { logoPath } from '../../../platform/brand/page-brand.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { lockSetting } from '../../../platform/postgres/locks.ts';
import { brandMessages } from '@bidwell/contract/text/brand-messages';
import { limits } from '@bidwell/contract/lib/limits';
import { createHash } from 'node:crypto';
import { Invalid, TooLarge } from '../../../platform/errors.ts';
import { type ImageLibrary, workOnImage } from '../../../platform/files/images.ts';

/** The name, logo, colours and links of the installation. */
export async function readBrand(ctx: Context, operator: Operator): Promise<Brand> {
  requireOperatorPermission(operator, 'brand.read');
  return presentBrand(ctx, ctx.db);
}

/** Replaces the name, the colours and the links. Other processes show them within five seconds. */
export async function changeBrand(ctx: Context, operator: Operator, settings: BrandSettings): Promise<Brand> {
  requireOperatorPermission(operator, 'brand.write');
  return change(ctx, operator, async () => ({ settings }));
}

/**
 * Replaces the logo; `image` is a file in Base64. Throws Invalid unless it is an image of a known format and size; TooLarge; RateLimited and
 * Unavailable where many images wait.
 */
export async function changeLogo(
  ctx: Context,
  operator: Operator,
  { image, signal }: { image: string; signal: AbortSignal },
): Promise<Brand> {
  requireOperatorPermission(operator, 'brand.write');
  const logo = await logoImages(Buffer.from(image, 'base64'), signal);
  return change(ctx, operator, async (tx) => {
    await insertLogo(tx.db, logo);
    return { logoSha256: logo.sha256 };
  });
}

/** Removes the logo, which the product's logo replaces. Invoices that were issued with it still have it. */
export async function removeLogo(ctx: Context, operator: Operator): Promise<Brand> {
  requireOperatorPermission(operator, 'brand.write');
  return change(ctx, operator, async () => ({ logoSha256: null }));
}

/** Changes a part of the brand, and writes it into the audit log. */
async function change(
  ctx: Context,
  operator: Operator,
  make: (tx: Tx) => Promise<Partial<BrandRow>>,
): Promise<Brand> {
  await transact(ctx.db, async (tx) => {
    await lockSetting(tx.db, 'brand');
    const before = await lockBrand(tx.db);
    await requireExpected(async () => presentBrand(ctx, tx.db));
    const after = { ...before, ...(await make(tx)) };
    await saveBrand(tx.db, after);
    await deleteUnusedLogos(tx.db);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'brand',
      entityId: null,
      name: after.settings.name,
      before: logged(before),
      after: logged(after),
    });
    tx.afterCommit(() => ctx.brand.changed());
  });
  return presentBrand(ctx, ctx.db);
}

const logged = ({ settings, logoSha256 }: BrandRow) => ({ ...settings, logo: logoSha256 });

async function presentBrand({ config }: Pick<Context, 'config'>, db: Db): Promise<Brand> {
  const { settings, logoSha256 } = await findBrand(db);
  const logo = logoSha256 === null ? undefined : await findLogo(db, logoSha256);
  return {
    settings,
    logo: logo ? { url: logoPath(logo), width: logo.width, height: logo.height } : null,
    mail_address: config.mail && senderOf(config.mail.from, { settings }).address,
  };
}

/** Whose turn it is in the queue of images. */
const OWNER = 'operators';

/**
 * Decodes a logo and makes its forms, which have nothing but pixels. Throws Invalid on `image`; TooLarge; RateLimited and Unavailable as
 * {@link workOnImage}.
 */
async function logoImages(content: Buffer, signal: AbortSignal): Promise<LogoRow> {
  if (content.length > limits.logoBytesMax) throw new TooLarge(brandMessages.logoTooLarge);
  return workOnImage(OWNER, async (open) => formsOf(open, content), signal);
}

/** The largest form that is shown, at two pixels for each of the screen. */
const SCREEN = { width: 512, height: 128 };
const ICON_PX = 128;

/** For a width of two inches at 300 pixels each. */
const PRINT = { width: 600, height: 200 };
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

async function formsOf(open: ImageLibrary, content: Buffer): Promise<LogoRow> {
  const original = () => open(content, { limitInputPixels: limits.imagePixelsMax }).autoOrient();
  await checkImage(open, content);
  try {
    const inside = { fit: 'inside', withoutEnlargement: true } as const;
    const { data: screen, info } = await original()
      .resize({ ...SCREEN, ...inside })
      .png()
      .toBuffer({ resolveWithObject: true });
    const icon = await original()
      .resize({ width: ICON_PX, height: ICON_PX, fit: 'contain', background: CLEAR })
      .png()
      .toBuffer();
    const print = await original()
      .resize({ ...PRINT, ...inside })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .png()
      .toBuffer();
    const sha256 = createHash('sha256').update(screen).digest('hex');
    return { sha256, width: info.width, height: info.height, screen, icon, print };
  } catch {
    throw rejected(brandMessages.logoType);
  }
}

/** Pixel formats. SVG and PDF, which the library also reads, can contain scripts and references. */
const FORMATS = new Set(['png', 'jpeg', 'webp']);
const SIDE_MIN_PX = 32;
const ASPECT_MAX = 8;

/** Throws Invalid unless it is an image of a known format, and for one that is too small, too narrow or too large to decode. */
async function checkImage(open: ImageLibrary, content: Buffer): Promise<void> {
  const { format, autoOrient } = await metadataOf(open, content).catch(() => {
    throw rejected(brandMessages.logoType);
  });
  if (!FORMATS.has(format)) throw rejected(brandMessages.logoType);
  const { width, height } = autoOrient;
  if (Math.min(width, height) < SIDE_MIN_PX) throw rejected(brandMessages.logoSize(SIDE_MIN_PX));
  if (height > width || width > ASPECT_MAX * height) throw rejected(brandMessages.logoShape);
}

/** Async, as the library throws at once for no bytes. */
async function metadataOf(open: ImageLibrary, content: Buffer) {
  return open(content, { limitInputPixels: limits.imagePixelsMax }).metadata();
}

const rejected = (message: string) => new Invalid([{ field: 'image', message }]);
