import { linkBody } from '../advertising.ts';
import { picture } from '../pictures.ts';
import type { TestApp } from '../test-app.ts';
import type { Case } from './case.ts';
import { get, multipart, onEntity, read } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for creatives and their files. */
export function creativeCases(app: TestApp): Record<string, Case> {
  const { anApp, aCreative, anAsset, aFile } = entitiesOf(app);
  return {
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
      },
    },
    'PUT /api/internal/internal_creative/{uuid}': onEntity('/internal_creative', anAsset, { name: 'New' }),
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
      },
    },
    'GET /api/internal/file/{file}/preview': {
      good: async (company) => ({ path: `${await aFile(company)}/preview` }),
    },
    'GET /api/internal/banner': get('/banner'),
  };
}
