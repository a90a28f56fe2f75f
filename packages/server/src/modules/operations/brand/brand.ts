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
} from '../../../platform/brand/brand-store.ts';
import { logoPath } from '../../../platform/brand/page-brand.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import { logoImages } from './logo-images.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { lockSetting } from '../../../platform/postgres/lock-setting.ts';

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
 * Replaces the logo; `image` is a file in Base64. Throws Invalid for what is no image of a known format and size; TooLarge; RateLimited and
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

/** Removes the logo, in whose place is that of the product. Invoices that were issued with it still have it. */
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
