import { CPU_QUEUE_LIMITS, imageQueue } from '@bidwell/server/platform/concurrency/cpu-queues';
import { linkBody } from '../advertising.ts';
import { fillQueue } from '../held-queue.ts';
import { picture } from '../files/pictures.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { video } from '../files/videos.ts';
import { type Case, get, multipart, onEntity, read } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for creatives and their files. */
export function creativeCases(app: TestApp): Record<string, Case> {
  const { anApp, aCreative, anAsset, aFile } = entitiesOf(app);
  const fillImages = async ({ companyId }: TestCompany) =>
    fillQueue(imageQueue, CPU_QUEUE_LIMITS.images, companyId);
  const card = async () => ({ name: 'card.jpg', content: await picture(640, 360, 'jpeg') });
  const aVideoAsset = async (company: TestCompany): Promise<string> => {
    const { data } = await company.upload('POST', '/v2/internal_creative', {
      name: 'Trailer',
      type: 'Video',
      app_id: await anApp(company),
      video: { name: 'clip.mp4', content: await video(640, 360) },
      banner: await card(),
    });
    return data.internal_creative.uuid;
  };
  return {
    'GET /api/internal/storage': get('/storage'),
    'GET /api/internal/internal_creative': get('/internal_creative'),
    'POST /api/internal/v2/internal_creative': {
      good: async (company) => ({
        path: '/v2/internal_creative',
        parts: {
          name: 'Banner',
          type: 'Banner',
          app_id: await anApp(company),
          banner: { name: 'banner.png', content: await picture(320, 50) },
        },
      }),
      invalid: (good) => ({ ...good, parts: { ...good.parts, name: '' } }),
      others: {
        413: async (good, company) => {
          const banner = { name: 'banner.png', content: Buffer.alloc(5.1 * 1024 * 1024) };
          return multipart('POST', good.path, company, { ...good.parts, banner });
        },
        429: async (good, company) => {
          await fillImages(company);
          return multipart('POST', good.path, company, good.parts!);
        },
      },
    },
    'PUT /api/internal/internal_creative/{uuid}': onEntity(
      '/internal_creative',
      anAsset,
      { name: 'New' },
      {
        others: {
          429: async (_good, company) => {
            const path = `/internal_creative/${await aVideoAsset(company)}`;
            await fillImages(company);
            return multipart('PUT', path, company, { name: 'New', banner: await card() });
          },
        },
      },
    ),
    'POST /api/internal/creative': {
      good: async (company) => {
        const { click_url, view_url } = linkBody('');
        return {
          path: '/creative',
          body: { internal_creative_uuid: await anAsset(company), click_url, view_url },
        };
      },
    },
    'PUT /api/internal/creative/{uuid}': onEntity('/creative', aCreative, { name: 'New' }),
    'GET /api/internal/file/{file}': {
      good: async (company) => ({ path: await aFile(company) }),
      invalid: ({ path }) => ({ path: `${path}?size=huge` }),
      others: {
        206: async (good, company) => read(good, company, { range: 'bytes=0-9' }),
        304: async (good, company) => {
          const { headers } = await app.http.inject(read(good, company, {}));
          return read(good, company, { 'if-none-match': String(headers.etag) });
        },
        416: async (good, company) => read(good, company, { range: 'bytes=99999999-' }),
        429: async (good, company) => {
          await fillImages(company);
          return read({ path: `${good.path.split('?')[0]}?size=thumb` }, company, {});
        },
      },
    },
    'GET /api/internal/file/{file}/preview': {
      good: async (company) => ({ path: `${await aFile(company)}/preview` }),
    },
    'GET /api/internal/banner': get('/banner'),
  };
}
