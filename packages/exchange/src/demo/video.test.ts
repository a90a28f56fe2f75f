import { inspectFile } from '@bidwell/server/modules/creatives/inspect';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMPANIES } from './companies.ts';
import { drawPlayable } from './playable.ts';
import { drawVideo } from './video.ts';

const { brand } = COMPANIES[0]!.apps[0]!;
const palette = brand.palettes[0]!;
const uploader = { companyId: '01890000-0000-7000-8000-000000000000', signal: new AbortController().signal };

test('a clip is a small mp4 that the server accepts, with a key frame and changes after it', async () => {
  const mp4 = await drawVideo(brand, palette, 320, 480);
  expect(mp4.length).toBeLessThan(3_000_000);
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
  const input = new Input({ formats: [MP4], source: new BufferSource(mp4) });
  const sink = new EncodedPacketSink((await input.getPrimaryVideoTrack())!);
  const kinds: string[] = [];
  for await (const packet of sink.packets()) kinds.push(packet.type);
  expect(kinds).toHaveLength(24);
  expect(kinds.lastIndexOf('key')).toBe(0);
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
