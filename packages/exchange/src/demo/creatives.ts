import type { App } from '@bidwell/contract/apps/schema';
import { Creative } from '@bidwell/contract/creatives/schema';
import { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { z } from 'zod';
import type { Api } from './api.ts';
import { type Palette, drawBanner } from './artwork.ts';
import type { AppPlan, GroupPlan, Size } from './plan.ts';
import { drawPlayable } from './playable.ts';
import { readVideo } from './video.ts';

/** The dependencies to create the creatives of an app. */
export interface CreativeDeps {
  api: Api;
  operator: Api;
  plan: AppPlan;
  app: App;
  /** Gives creatives their click and view URLs. */
  link: TrackingLink;
  /** Leaves the creatives in review. */
  isWaiting?: boolean;
}

/** Size of the image of a native ad. */
export const NATIVE_IMAGE: Size = [1200, 627];

/** Draws and uploads the creatives of a group, approves them unless they wait, and creates the group. Throws ApiError. */
export async function createGroup(
  { plan, ...others }: CreativeDeps,
  name: string,
  group: GroupPlan,
): Promise<{ uuid: string; creatives: string[] }> {
  const brand = group.tagline === undefined ? plan.brand : { ...plan.brand, tagline: group.tagline };
  const deps = { ...others, plan: { ...plan, brand } };
  const palettes = deps.plan.brand.palettes.slice(0, group.palettes ?? 1);
  const banners = await each(palettes, group.banners ?? [], async (palette, size) =>
    uploadBanner(deps, palette, size),
  );
  const natives = group.native
    ? await each(palettes, [NATIVE_IMAGE], async (palette, size) => uploadNative(deps, palette, size, group))
    : [];
  const videos = await each(palettes, group.videos ?? [], async (palette, size) =>
    uploadVideo(deps, palette, size),
  );
  const playables = group.playable ? [await uploadPlayable(deps, palettes[0]!)] : [];
  const body = {
    name,
    description: group.description,
    banner_creatives: banners,
    native_creatives: natives,
    video_creatives: videos,
    playable_creatives: playables,
    ...(group.native && {
      native_title: group.native.title,
      native_description: group.native.description,
      native_sponsor: group.native.sponsor,
    }),
  };
  const created = await deps.api.send('POST', '/creative_group', body, CreativeGroup);
  if (created.texts_status === 'Moderation') await approve(deps, `/creative_groups/${created.uuid}`);
  return { uuid: created.uuid, creatives: [...banners, ...natives, ...videos, ...playables] };
}

async function each(
  palettes: readonly Palette[],
  sizes: readonly Size[],
  make: (palette: Palette, size: Size) => Promise<string>,
): Promise<string[]> {
  return Promise.all(palettes.flatMap((palette) => sizes.map(async (size) => make(palette, size))));
}

async function uploadBanner(deps: CreativeDeps, palette: Palette, [width, height]: Size): Promise<string> {
  const { plan } = deps;
  const png = await drawBanner(plan.brand, palette, width, height);
  return upload(deps, {
    name: `${plan.name} ${palette.name} ${width}x${height}`,
    type: 'Banner',
    files: { banner: blob(png, 'image/png') },
  });
}

async function uploadNative(
  deps: CreativeDeps,
  palette: Palette,
  [width, height]: Size,
  { native, description }: GroupPlan,
): Promise<string> {
  const { plan } = deps;
  const png = await drawBanner(plan.brand, palette, width, height);
  return upload(deps, {
    name: `${native!.title}, ${palette.name}`.slice(0, 50),
    type: 'Native',
    texts: { title: native!.title, description, sponsor: native!.sponsor },
    files: { banner: blob(png, 'image/png') },
  });
}

async function uploadVideo(deps: CreativeDeps, palette: Palette, [width, height]: Size): Promise<string> {
  const { plan } = deps;
  const mp4 = await readVideo(plan.name, width, height);
  const endCard = await drawBanner(plan.brand, palette, width, height);
  return upload(deps, {
    name: `${plan.name} clip ${width}x${height}`,
    type: 'Video',
    files: { video: blob(mp4, 'video/mp4'), banner: blob(endCard, 'image/png') },
  });
}

async function uploadPlayable(deps: CreativeDeps, palette: Palette): Promise<string> {
  const { plan } = deps;
  const page = drawPlayable(plan.brand, palette);
  return upload(deps, {
    name: `${plan.name} playable`,
    type: 'Playable',
    files: { playable: blob(Buffer.from(page), 'text/html') },
  });
}

interface Upload {
  name: string;
  type: 'Banner' | 'Native' | 'Video' | 'Playable';
  texts?: Record<string, string>;
  files: Record<string, Blob>;
}

const EXTENSIONS: Record<string, string> = { 'image/png': 'png', 'video/mp4': 'mp4', 'text/html': 'html' };

/** Uploads a creative, sets its click and view URLs and approves it; returns its uuid. */
async function upload(deps: CreativeDeps, { name, type, texts = {}, files }: Upload): Promise<string> {
  const { api, app, link } = deps;
  const form = new FormData();
  form.set('name', name);
  form.set('type', type);
  form.set('app_id', app.uuid);
  for (const [field, value] of Object.entries(texts)) form.set(field, value);
  for (const [field, file] of Object.entries(files))
    form.set(field, file, `${name}.${EXTENSIONS[file.type]}`);
  const uploaded = await api.send('POST', '/v2/internal_creative', form, Creative);
  const addresses = {
    internal_creative_uuid: uploaded.internal_creative.uuid,
    click_url: link.click_url,
    view_url: link.view_url,
  };
  const { uuid, status } = await api.send('POST', '/creative', addresses, Creative);
  if (status === 'Moderation') await approve(deps, `/creatives/${uuid}`);
  return uuid;
}

async function approve({ operator, isWaiting = false }: CreativeDeps, path: string): Promise<void> {
  if (isWaiting) return;
  await operator.send('POST', `${path}/decision`, { status: 'Approved' }, z.object({}));
}

const blob = (bytes: Buffer, type: string): Blob => new Blob([new Uint8Array(bytes)], { type });
