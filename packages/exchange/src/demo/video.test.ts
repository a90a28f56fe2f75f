import { inspectFile } from '@bidwell/server/modules/catalog/creatives/media/inspect';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMPANIES } from './companies.ts';
import { drawPlayable } from './playable.ts';
import { readVideo } from './video.ts';

const { brand } = COMPANIES[0]!.apps[0]!;
const palette = brand.palettes[0]!;
const uploader = { companyId: '01890000-0000-7000-8000-000000000000', signal: new AbortController().signal };

test('a clip is a small mp4 that the server accepts', async () => {
  const mp4 = await readVideo('Lumen Drift', 320, 480);
  expect(mp4.length).toBeLessThan(100_000);
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-video-'));
  try {
    const path = join(folder, 'clip.mp4');
    await writeFile(path, mp4);
    expect(await inspectFile(uploader, 'Video', 'video', path)).toMatchObject({
      contentType: 'video/mp4',
      width: 320,
      height: 480,
      durationMs: 6000,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a playable is one page that loads nothing but mraid.js', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-playable-'));
  try {
    const path = join(folder, 'page.html');
    await writeFile(path, drawPlayable(brand, palette));
    expect(await inspectFile(uploader, 'Playable', 'playable', path)).toMatchObject({ externalLoads: [] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
