import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { picture } from '@bidwell/testing/files/pictures';
import { storedFiles } from '@bidwell/testing/files/stored-files';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();

async function uploaded(company: TestCompany, content: Buffer) {
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name: 'Native',
    type: 'Native',
    app_id: await make(company, '/app', appBody()),
    banner: { name: 'image', content },
  });
  return { creative: data.uuid as string, file: data.internal_creative.banner.uuid as string };
}

const approve = async (creative: string) =>
  app.operator('POST', `/creatives/${creative}/decision`, { status: 'Approved' });
const media = async (name: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url: `/m/${name}`, headers });
const copiesOf = async (file: string) => (await storedFiles(app)).filter((key) => key.startsWith(`${file}.`));

/** A picture whose left and right tenths are red, and the rest blue. */
async function withEdges(width: number, height: number): Promise<Buffer> {
  const edge = await sharp({
    create: { width: Math.round(width / 10), height, channels: 3, background: '#f00' },
  })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#00f' } })
    .composite([
      { input: edge, gravity: 'west' },
      { input: edge, gravity: 'east' },
    ])
    .jpeg()
    .toBuffer();
}

/** A picture of every colour, whose file is as large as a photo. */
const photo = async (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer();

/** A PNG of 1200 by 628 with a palette of 8 colours, which repeats a tile: small until it is scaled. */
async function tiles(): Promise<Buffer> {
  const pixels = Array.from({ length: 16 * 16 }, (_, index) => {
    const colour = ((index * index * 31 + index * 7) % 61) % 8;
    return [colour & 1, colour & 2, colour & 4].map((bit) => (bit === 0 ? 0 : 255));
  });
  const tile = await sharp(Uint8Array.from(pixels.flat()), { raw: { width: 16, height: 16, channels: 3 } })
    .png()
    .toBuffer();
  return sharp({ create: { width: 1200, height: 628, channels: 3, background: '#000' } })
    .composite([{ input: tile, tile: true }])
    .png({ palette: true, colours: 8, dither: 0 })
    .toBuffer();
}

test('an upload makes sized copies, which do not count as storage and are removed with the creative', async () => {
  const company = await app.freshCompany();
  const content = await photo(512, 512);
  const { creative, file } = await uploaded(company, content);
  const copies = await copiesOf(file);
  expect(copies).toEqual(expect.arrayContaining([`${file}.300x300`, `${file}.80x80`, `${file}.50x50`]));
  expect(copies).not.toContain(`${file}.600x600`);
  expect((await company.call('GET', '/storage')).data.used_bytes).toBe(content.length);
  expect((await company.call('DELETE', `/creative/${creative}`)).status).toBe(200);
  await eventually(async () => expect(await copiesOf(file)).toEqual([]));
});

test('the copies of an upload take at most four times its bytes, and an upload under review gets no others', async () => {
  const company = await app.freshCompany();
  const content = await tiles();
  const { creative, file } = await uploaded(company, content);
  const copies = await copiesOf(file);
  const sizes = await Promise.all(copies.map(async (key) => app.ctx.files.size(key)));
  expect(sizes.reduce<number>((sum, bytes) => sum + bytes!, 0)).toBeLessThanOrEqual(4 * content.length);

  const { data: preview } = await company.call('GET', `/file/${file}.png/preview`);
  const address = (preview.url as string).slice('/m/'.length);
  expect((await media(address)).statusCode).toBe(200);
  expect((await media(address.replace('.png', '.600x314.png'))).statusCode).toBe(404);
  expect(await copiesOf(file)).toEqual(copies);

  await approve(creative);
  await eventually(async () => expect((await media(`${file}.600x314.png`)).statusCode).toBe(200));
  const { rawPayload } = await media(`${file}.600x314.png`);
  expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 600, isPalette: true, bitsPerSample: 4 });
});

test('a copy is served while its creative is approved, whole and in ranges', async () => {
  const company = await app.freshCompany();
  const { creative, file } = await uploaded(company, await picture(1200, 627));
  const path = `${file}.600x314.png`;
  expect((await media(path)).statusCode).toBe(404);
  await approve(creative);
  await eventually(async () => expect((await media(path)).statusCode).toBe(200));
  const whole = await media(path);
  expect(await sharp(whole.rawPayload).metadata()).toMatchObject({ format: 'png', width: 600, height: 314 });
  expect(whole.headers.etag).not.toBe((await media(`${file}.png`)).headers.etag);
  expect((await media(path, { 'if-none-match': String(whole.headers.etag) })).statusCode).toBe(304);
  const part = await media(path, { range: 'bytes=2-5' });
  expect([part.statusCode, part.rawPayload]).toEqual([206, whole.rawPayload.subarray(2, 6)]);
  for (const unknown of ['601x314.png', '600x600.png', '600x314.jpg'])
    expect((await media(`${file}.${unknown}`)).statusCode).toBe(404);
});

test('a copy leaves out as much on the left as on the right', async () => {
  const { creative, file } = await uploaded(await app.freshCompany(), await withEdges(1200, 628));
  await approve(creative);
  const { rawPayload } = await media(`${file}.640x360.jpg`);
  const { data, info } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true });
  const isRed = (x: number) => data[(info.width * 180 + x) * info.channels]! > 128;
  // 24 of the 69 red columns on each side of 688 are cut off.
  expect([0, 40, 50, 590, 600, 639].map(isRed)).toEqual([true, true, false, false, true, true]);
});

test('a copy that does not exist, as after a restore, is made when it is first asked for', async () => {
  const company = await app.freshCompany();
  const content = await picture(1200, 627);
  const { creative, file } = await uploaded(company, content);
  await approve(creative);
  const { files } = app.ctx;
  await files.remove(file);
  await files.write(file, Readable.from([content]));
  expect(await copiesOf(file)).toEqual([]);
  const [one, other] = await Promise.all([media(`${file}.300x157.png`), media(`${file}.300x157.png`)]);
  expect([one.statusCode, other.rawPayload]).toEqual([200, one.rawPayload]);
  expect(await sharp(one.rawPayload).metadata()).toMatchObject({ width: 300, height: 157 });
  expect(await copiesOf(file)).toEqual([`${file}.300x157`]);
});

test.each([
  ['made', '1200x627'],
  ['sent', '50x50'],
])('a copy of a creative that is deleted before it is %s is not found', async (_when, name) => {
  const company = await app.freshCompany();
  const { creative, file } = await uploaded(
    company,
    name === '50x50' ? await photo(512, 512) : await tiles(),
  );
  await approve(creative);
  const { files } = app.ctx;
  const read = files.read.bind(files);
  const deleted = vi.spyOn(files, 'read').mockImplementationOnce((key, range) =>
    Readable.from(
      (async function* () {
        await files.remove(file);
        yield* read(key, range);
      })(),
    ),
  );
  const { statusCode, headers } = await media(`${file}.${name}.png`);
  expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
  expect(deleted).toHaveBeenCalledOnce();
  deleted.mockRestore();
  expect(await copiesOf(file)).toEqual([]);
});

test('a GIF, which may be animated, has no copies', async () => {
  const { creative, file } = await uploaded(await app.freshCompany(), await picture(80, 80, 'gif'));
  await approve(creative);
  expect(await copiesOf(file)).toEqual([]);
  expect((await media(`${file}.50x50.gif`)).statusCode).toBe(404);
});
