import { CPU_QUEUE_LIMITS, imageQueue } from '@bidwell/server/platform/concurrency/cpu-queues';
import { picture } from '../files/pictures.ts';
import { fillQueue } from '../held-queue.ts';
import type { TestApp } from '../test-app.ts';
import { type Case, get, inOperator } from './case.ts';

/** Settings of a brand, all of which differ from the product's own. */
export const exampleBrand = {
  name: 'Acme Ads',
  accent: '#7a1f5c',
  accent_dark: null,
  mail_sender_name: 'Acme',
  terms_url: 'https://acme.example/terms',
  privacy_url: 'https://acme.example/privacy',
  domains: ['ads.acme.example'],
};

/** Cases for the operator’s calls on the brand. */
export function brandCases(app: TestApp): Record<string, Case> {
  return {
    'GET /api/operator/brand': get('/brand'),
    'PUT /api/operator/brand': inOperator(() => '/brand', exampleBrand),
    'PUT /api/operator/brand/logo': {
      good: async () => ({
        path: '/brand/logo',
        body: { image: (await picture(256, 64)).toString('base64') },
      }),
      others: {
        429: async (good) => {
          await fillQueue(imageQueue, CPU_QUEUE_LIMITS.images, 'operators');
          return {
            method: 'PUT',
            url: `/api/operator${good.path}`,
            payload: good.body,
            headers: { authorization: `Bearer ${app.ctx.config.operatorToken}` },
          };
        },
      },
    },
    'DELETE /api/operator/brand/logo': inOperator(() => '/brand/logo'),
  };
}
