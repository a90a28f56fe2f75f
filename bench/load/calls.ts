/** Calls of the API bench: every list of the API, and every write without a file. */
import { appBody, linkBody, targetBody } from '@bidwell/testing/advertising';
import { LARGE, idOf } from '@bidwell/testing/large-companies';

/** Paths of all lists, for one company. */
export const lists = (company: number): string[] => [
  'app',
  'adset',
  'campaign',
  'target',
  'tracking_link',
  'internal_creative',
  'internal_creative_group',
  'notifications',
  'finance/transactions',
  `company/${idOf('company', company, 0)}/changes`,
];

export interface Write {
  method: 'POST' | 'PUT';
  path: string;
  body: object;
}

/** One write of each kind for a company; each `n` changes a different row. */
export const writes = (company: number, n: number): Write[] => {
  const id = (kind: Parameters<typeof idOf>[0], index: number) => idOf(kind, company, index);
  const app = n % LARGE.apps;
  const name = `Renamed ${n}`;
  const adset = {
    target_id: id('target', app),
    tracking_link_id: id('link', app),
    creative_group_ids: [id('group', app), id('group', app + LARGE.apps)],
    algo: 'Manual CPM',
    bet_cpm: 3,
  };
  const banners = [0, 1, 2, 3, 4].map((step) => id('creative', app * 10 + step));
  return [
    { method: 'POST', path: 'app', body: appBody() },
    { method: 'PUT', path: `app/${id('app', app)}`, body: { name } },
    { method: 'POST', path: 'adset', body: { name, ...adset } },
    { method: 'PUT', path: `adset/${id('adset', n)}`, body: { name, ...adset, bet_cpm: 4 } },
    { method: 'POST', path: 'campaign', body: { name, app_uuid: id('app', app) } },
    { method: 'PUT', path: `campaign/${id('campaign', n)}`, body: { name, adset_uuids: [id('adset', n)] } },
    { method: 'POST', path: 'target', body: targetBody(id('app', app)) },
    { method: 'PUT', path: `target/${id('target', n)}`, body: { name, location_include: ['US'] } },
    { method: 'POST', path: 'tracking_link', body: linkBody(id('app', app)) },
    { method: 'PUT', path: `tracking_link/${id('link', n)}`, body: { name } },
    { method: 'POST', path: 'internal_creative_group', body: { name, banner_creatives: banners } },
    {
      method: 'PUT',
      path: `internal_creative_group/${id('group', n)}`,
      body: { name, banner_creatives: banners },
    },
    {
      method: 'PUT',
      path: `internal_creative/${id('asset', n)}`,
      body: { name, description: `Changed ${n} times` },
    },
  ];
};
