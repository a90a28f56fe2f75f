import type { Http } from '../http/server.ts';
import { NotFound } from '../errors.ts';
import type { BrandReader } from './brand-reader.ts';
import { BRAND_PATH } from './page-brand.ts';

const NAME = /^(logo|icon)-([\da-f]{64})\.png$/;

/**
 * Serves the images of the logo to everyone: pages before the login and programs that read mails. An address names the content, which
 * therefore never changes; only the images of the present logo are served.
 */
export function registerBrandImages(http: Http, brand: BrandReader): void {
  http.get<{ Params: { name: string } }>(
    `${BRAND_PATH}:name`,
    { schema: { hide: true } },
    async (request, reply) => {
      const [, form, sha256] = NAME.exec(request.params.name) ?? [];
      const { logo } = await brand.current();
      if (!logo || logo.sha256 !== sha256) throw new NotFound('Logo');
      return reply
        .type('image/png')
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          // Mail programs show it on their own pages.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .send(form === 'icon' ? logo.icon : logo.screen);
    },
  );
}
