import { expect, test } from 'vitest';
import type { AppStoreFields } from '@bidwell/contract/adsets/app-store';
import { caseFiles } from '@bidwell/testing/case-files';
import { storeViewOf } from '../skadnetwork/impression-extension.ts';
import { readBidRequest } from './read/read-request.ts';

/** The `ext` of an imp, the fields of an ad set, and what a bid says beside its signature for each framework. */
interface Case {
  ext: object;
  adset: AppStoreFields;
  expect: { skadn: object; adattributionkit: object };
}

test.each(caseFiles<Case>(import.meta.url))('in a bid, %s', (_name, { ext, adset, ...rest }) => {
  const request = {
    id: '1',
    imp: [{ id: '1', banner: { w: 320, h: 50 }, ext }],
    app: {},
    device: { os: 'iOS' },
  };
  const [imp] = readBidRequest(request, 'sample')!.imps;
  const view = storeViewOf(imp!, { productPageId: adset.product_page_id, overlay: adset.overlay });
  expect({
    skadn: JSON.parse(`{${view.skadn}}`),
    adattributionkit: JSON.parse(`{${view.adAttributionKit}}`),
  }).toEqual(rest.expect);
});
