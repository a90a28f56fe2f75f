import { type Brand, type BrandSettings, brandVersion } from '@bidwell/contract/branding/schema';
import * as endpoints from '@bidwell/contract/operator/brand-endpoints';
import { queryOptions } from '@tanstack/react-query';
import { callOperator, changeAsOperator } from '../../lib/api/operator-client.ts';
import { changeAsShown } from '../../lib/api/change-as-shown.ts';
import { queryClient, readAgain } from '../../lib/api/query-client.ts';

/** The name, logo, colours and links of the installation. */
export const brandQuery = queryOptions({
  queryKey: ['operator', 'brand'],
  queryFn: () => callOperator(endpoints.readBrand),
});

const keep = (saved: Brand): void => {
  queryClient.setQueryData(brandQuery.queryKey, saved);
};

/** Changes the name, colours and links. */
export async function saveBrand(settings: BrandSettings, version?: string): Promise<void> {
  keep(await changeAsOperator(endpoints.changeBrand, version, { body: settings }));
}

/** Replaces the logo that is shown by an image file; null removes it. One that another operator has replaced stays. */
export async function saveLogo({ logo: shown }: Brand, file: Blob | null): Promise<void> {
  const image = file && (await base64Of(file));
  const saved = await changeAsShown({
    read: async () => readAgain(brandQuery),
    version: brandVersion,
    isAsShown: ({ logo }) => logo?.url === shown?.url,
    send: async (version): Promise<Brand> =>
      image === null
        ? changeAsOperator(endpoints.removeLogo, version)
        : changeAsOperator(endpoints.changeLogo, version, { body: { image } }),
  });
  keep(saved);
}

/** The content of a file in Base64. Rejects with the error of a file that cannot be read. */
async function base64Of(file: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    // A data URL: the type of the file, a comma, and its content.
    reader.addEventListener('load', () => resolve((reader.result as string).split(',')[1] ?? ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')));
    reader.readAsDataURL(file);
  });
}
