import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { picture } from '@bidwell/testing/files/pictures';
import { testApp } from '@bidwell/testing/test-app';
import { video } from '@bidwell/testing/files/videos';
import { runs } from '@bidwell/testing/whole-run';

const app = await testApp({ LOG_LEVEL: 'silent' });

const whole = {
  Banner: await picture(320, 50),
  Native: await picture(80, 80, 'gif'),
  Playable: Buffer.from('<html><body onclick="mraid.open()">play</body></html>'),
  Video: await video(640, 360, { seconds: 2 }),
};
const types = ['Banner', 'Native', 'Playable', 'Video'] as const;
const fieldOf = { Banner: 'banner', Native: 'banner', Playable: 'playable', Video: 'video' } as const;

/** A file with a few bytes changed, truncated at some point. */
const damage = fc.record({
  bytes: fc.array(fc.tuple(fc.nat(2000), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
  keep: fc.oneof({ weight: 2, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
});

function damaged(content: Buffer, { bytes, keep }: { bytes: [number, number][]; keep: number }): Buffer {
  const copy = Buffer.from(content.subarray(0, Math.round(content.length * keep)));
  for (const [at, value] of bytes) if (at < copy.length) copy[at] = value;
  return copy;
}

test('any upload results in a creative or an error of the upload', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const content = (type: (typeof types)[number]) =>
    fc.oneof(
      { weight: 3, arbitrary: damage.map((how) => damaged(whole[type], how)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    );
  const uploads = fc
    .constantFrom(...types)
    .chain((type) =>
      fc.tuple(fc.constant(type), content(type), fc.string({ maxLength: 60, unit: 'binary' })),
    );
  await fc.assert(
    fc.asyncProperty(uploads, async ([type, bytes, name]) => {
      const { status } = await company.upload('POST', '/v2/internal_creative', {
        name,
        type,
        app_id: appUuid,
        [fieldOf[type]]: { name: 'file', content: bytes },
        ...(type === 'Video' && { banner: { name: 'card', content: whole.Banner } }),
      });
      expect([201, 400, 422]).toContain(status);
    }),
    runs(60),
  );
});

test('a form that ends within a file is rejected', async () => {
  const company = await app.freshCompany();
  const payload =
    '--b\r\nContent-Disposition: form-data; name="banner"; filename="a.png"\r\n' +
    'Content-Type: image/png\r\n\r\nx\0\n--b--\r\n';
  const { statusCode } = await app.http.inject({
    method: 'POST',
    url: '/api/internal/v2/internal_creative',
    headers: {
      authorization: `Bearer ${company.token}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
    payload,
  });
  expect(statusCode).toBe(400);
});

test('an invalid form is rejected', async () => {
  const company = await app.freshCompany();
  const valid = [
    '--b',
    'Content-Disposition: form-data; name="type"',
    '',
    'Banner',
    '--b',
    'Content-Disposition: form-data; name="banner"; filename="a.png"',
    'Content-Type: image/png',
    '',
    'x',
    '--b--',
    '',
  ].join('\r\n');
  const bodies = fc.oneof(
    fc.string({ maxLength: 200 }),
    damage.map((how) => damaged(Buffer.from(valid), how)),
  );
  const contentTypes = fc.constantFrom(
    'multipart/form-data; boundary=b',
    'multipart/form-data; boundary=c',
    'multipart/form-data',
    'multipart/mixed; boundary=b',
  );
  await fc.assert(
    fc.asyncProperty(bodies, contentTypes, async (payload, contentType) => {
      const { statusCode } = await app.http.inject({
        method: 'POST',
        url: '/api/internal/v2/internal_creative',
        headers: { authorization: `Bearer ${company.token}`, 'content-type': contentType },
        payload,
      });
      expect([400, 413, 415, 422]).toContain(statusCode);
    }),
    runs(60),
  );
});
