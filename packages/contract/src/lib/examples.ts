import { z } from 'zod';
import { CompanyInput, Credentials, Registration, SessionTokens, User } from '../accounts/schema.ts';
import { adsetFields } from '../adsets/fields.ts';
import { Adset, AdsetInput } from '../adsets/schema.ts';
import {
  BundleQuery,
  BundleReport,
  ExportQuery,
  LevelQuery,
  LevelReport,
  LevelRow,
} from '../reports/schema.ts';
import { ApiToken, ApiTokenInput } from '../accounts/api-token.ts';
import { App, AppBatch, AppInput, AppSummary, StoreLinkInput } from '../apps/schema.ts';
import { Campaign, CampaignInput } from '../campaigns/schema.ts';
import { Change, ChangeList } from '../changes/schema.ts';
import { Creative, CreativeInput, UploadFields } from '../creatives/schema.ts';
import { CreativeGroup, CreativeGroupInput } from '../creative-groups/schema.ts';
import { Balance, TopUpInput, Transaction, TransactionList } from '../finance/schema.ts';
import { MarkRead, Notification } from '../notifications/schema.ts';
import { Target, TargetInput } from '../targets/schema.ts';
import { TrackingLink, TrackingLinkInput } from '../tracking-links/schema.ts';
import { examplesOf } from './fields.ts';
import { Failure } from './wire.ts';

const uuid = (last: number) => `01938f3e-5d20-7c41-9a6b-0000000000${String(last).padStart(2, '0')}`;
const times = {
  created_at: '2026-03-02T09:15:00.000Z',
  updated_at: '2026-03-02T09:15:00.000Z',
  archived_at: null,
};

const summary: z.input<typeof AppSummary> = {
  uuid: uuid(1),
  name: 'Harbor Match',
  os: 'android',
  icon_link: 'https://cdn.example.com/harbor-match.png',
  store_link: 'https://play.google.com/store/apps/details?id=com.example.harbormatch',
  bundle_id: 'com.example.harbormatch',
  mobile_measurement_partner: 'appsflyer',
};

const { uuid: _uuid, ...appFields } = summary;
const appInput: z.input<typeof AppInput> = {
  ...appFields,
  description: 'A puzzle game by the sea',
  iab_category: 'IAB9-30',
  rating: 4.6,
  size_in_kb: 148_000,
  advertiser_domain: 'harbormatch.example',
};

const app: z.input<typeof App> = {
  ...summary,
  description: 'A puzzle game by the sea',
  size_in_kb: 148_000,
  iab_category: 'IAB9-30',
  rating: 4.6,
  advertiser_domain: 'harbormatch.example',
  status: 'Approved',
  rejection_reason: null,
  approved_version: null,
  ...times,
};

const targetSettings = {
  device_connection_types: ['WiFi'],
  device_max_os_version: null,
  device_min_os_version: '11',
  device_models: [],
  device_os: ['android'],
  device_types: ['Phone'],
  exchange_include: [],
  exchange_exclude: [],
  genre_include: ['Games'],
  genre_exclude: [],
  language_include: ['en'],
  language_exclude: [],
  location_include: ['DE', 'AT'],
  location_exclude: [],
};
const target: z.input<typeof Target> = {
  uuid: uuid(2),
  name: 'Phones in Germany and Austria',
  description: '',
  app: summary,
  ...targetSettings,
  ...times,
};

const link = {
  name: 'AppsFlyer',
  description: '',
  click_url: 'https://app.appsflyer.com/com.example.harbormatch?pid=bidwell_int&clickid={click_id}',
  view_url: 'https://impression.appsflyer.com/com.example.harbormatch?pid=bidwell_int&clickid={click_id}',
};

const creative: z.input<typeof Creative> = {
  uuid: uuid(4),
  status: 'Approved',
  rejection_reason: null,
  approved_version: null,
  app: summary,
  click_url: null,
  view_url: null,
  labels: ['Summer'],
  ...times,
  internal_creative: {
    uuid: uuid(5),
    name: 'Lighthouse 320×50',
    type: 'Banner',
    description: '',
    sponsor: '',
    title: '',
    html: null,
    width: 320,
    height: 50,
    duration_ms: null,
    banner_id: uuid(6),
    video_id: null,
    banner_extension: 'png',
    video_extension: null,
    banner: { uuid: uuid(6), url: `/api/internal/file/${uuid(6)}.png`, size_bytes: 18_204 },
    video: null,
    playable: null,
    thumbnail: `/api/internal/file/${uuid(6)}?size=thumb`,
    external_loads: [],
    exits: [],
  } as z.input<typeof Creative>['internal_creative'],
};

const groupTexts = {
  native_title: 'Match the harbor',
  native_description: 'Play now',
  native_sponsor: 'Example',
};
const group: z.input<typeof CreativeGroup> = {
  uuid: uuid(7),
  name: 'Spring',
  description: '',
  status: 'Active',
  banner_creatives: [creative],
  video_creatives: [],
  native_creatives: [],
  playable_creatives: [],
  ...groupTexts,
  texts_status: 'Approved',
  rejection_reason: null,
  approved_version: null,
  ...times,
};

const settings = examplesOf(adsetFields);
const adset: z.input<typeof Adset> = {
  uuid: uuid(8),
  name: 'Germany, target CPI',
  description: '',
  status: 'Active',
  campaign: { uuid: uuid(9), name: 'Launch' },
  target: { uuid: target.uuid, name: target.name, app: summary },
  tracking_link: { uuid: uuid(3), name: link.name },
  creative_groups: [{ uuid: group.uuid, name: group.name }],
  ...settings,
  ...times,
};

const campaign: z.input<typeof Campaign> = {
  uuid: uuid(9),
  name: 'Launch',
  description: '',
  app_uuid: summary.uuid,
  app: summary,
  start_date: '2026-03-02',
  end_date: null,
  status: 'Active',
  adsets: [{ uuid: adset.uuid, name: adset.name, status: 'Active' }],
  start_when_approved: true,
  in_review: { app: false, creatives: 2, tracking_links: 0 },
  ...times,
};

const figures = { clicks: 120, installs: 30, impressions: 8000, spends: 24, ctr: 1.5, cpm: 3, cpi: 0.8 };

const levelRow: LevelRow = {
  level: 'adset',
  value: adset.uuid,
  name: adset.name,
  ...figures,
  children: [],
};

const transaction: z.input<typeof Transaction> = {
  uuid: uuid(10),
  kind: 'spend',
  status: 'success',
  amount: -12.345678,
  description: 'Launch, 2026-03-02 09:00',
  ...times,
};

const change: z.input<typeof Change> = {
  uuid: uuid(11),
  entity_type: 'adset',
  entity_uuid: adset.uuid,
  entity_name: adset.name,
  action: 'update',
  author: 'Ada Miller',
  fields: [{ field: 'bet_cpi', before: 1.5, after: 1.8 }],
  created_at: times.created_at,
};

const range = { start_date: '2026-03-01', end_date: '2026-03-07' };

/** An example of each schema of the API, with its name in the OpenAPI document if it has one. */
export const examples = [
  give(Failure, { data: 'Required', errors: [{ field: 'name', message: 'Required' }] }, 'Failure'),
  give(Credentials, { login: 'ada.miller', password: 'a long secret' }),
  give(Registration, {
    login: 'ada.miller',
    email: 'ada@example.com',
    password: 'a long secret',
    first_name: 'Ada',
    last_name: 'Miller',
    contact: '@ada',
  }),
  give(SessionTokens, { access_token: 'eyJhbGciOi…', expires_in: 900, user_id: uuid(12) }, 'SessionTokens'),
  give(
    User,
    {
      uuid: uuid(12),
      login: 'ada.miller',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Miller',
      contact: '@ada',
      avatar: null,
      company: { uuid: uuid(13), name: 'Ada Miller', time_zone: 'UTC', second_factor_required: false },
      needs_second_factor: false,
      signed_in_by_sso: false,
      needs_email_confirmation: false,
      role: 'owner',
      moderation: 'manual',
      created_at: times.created_at,
    },
    'User',
  ),
  give(AppInput, appInput),
  give(App, app, 'App'),
  give(AppSummary, summary, 'AppSummary'),
  give(AppBatch, { uuids: [summary.uuid] }),
  give(StoreLinkInput, { link: summary.store_link }),
  give(TargetInput, { app_id: summary.uuid, name: target.name, ...targetSettings }),
  give(Target, target, 'Target'),
  give(TrackingLinkInput, { app_id: summary.uuid, ...link }),
  give(
    TrackingLink,
    {
      uuid: uuid(3),
      ...link,
      app: summary,
      app_id: summary.uuid,
      status: 'Approved',
      rejection_reason: null,
      approved_version: null,
      ...times,
    },
    'TrackingLink',
  ),
  give(UploadFields, { name: 'Lighthouse 320×50', type: 'Banner', app_id: summary.uuid }),
  give(CreativeInput, {
    internal_creative_uuid: creative.internal_creative.uuid,
    click_url: link.click_url,
    view_url: link.view_url,
  }),
  give(Creative, creative, 'Creative'),
  give(CreativeGroupInput, { name: 'Spring', banner_creatives: [creative.uuid], ...groupTexts }),
  give(CreativeGroup, group, 'CreativeGroup'),
  give(AdsetInput, {
    name: adset.name,
    target_id: target.uuid,
    tracking_link_id: uuid(3),
    creative_group_ids: [group.uuid],
    ...settings,
  }),
  give(Adset, adset, 'Adset'),
  give(CampaignInput, {
    name: campaign.name,
    app_uuid: summary.uuid,
    start_date: '2026-03-02',
    end_date: null,
    adset_uuids: [adset.uuid],
  }),
  give(Campaign, campaign, 'Campaign'),
  give(BundleQuery, { ...range, creative_ids: [] }),
  give(
    BundleReport,
    { rows: [{ bundle: 'com.example.goodgame', name: 'Good Game', ...figures }], total: figures },
    'BundleReport',
  ),
  give(LevelQuery, { ...range, levels: { adset: '', creative_type: 'Banner,Video' } }),
  give(LevelRow, levelRow, 'LevelRow'),
  give(
    LevelReport,
    {
      rows: [levelRow],
      total: figures,
    },
    'LevelReport',
  ),
  give(
    ApiToken,
    {
      uuid: uuid(15),
      name: 'Nightly report',
      ending: 'x7Qk',
      scopes: ['read', 'campaigns'],
      calls_per_minute: 600,
      created_at: times.created_at,
      created_by: 'Ada Miller',
      expires_at: '2026-05-31T09:15:00.000Z',
      last_used_at: '2026-03-04T02:00:00.000Z',
      last_used_address: '203.0.113.7',
    },
    'ApiToken',
  ),
  give(ApiTokenInput, { name: 'Nightly report', scopes: ['read', 'campaigns'], expires_in_days: 90 }),
  give(ExportQuery, { ...range, levels: { campaign: '', day: '' }, metrics: ['ipm'] }),
  give(Balance, { balance: 240.5, currency: 'USD', spent_today: 18.2, credit_limit: 0 }, 'Balance'),
  give(TopUpInput, { amount: 500 }),
  give(Transaction, transaction, 'Transaction'),
  give(TransactionList, { transactions: [transaction], total: 1 }, 'TransactionList'),
  give(
    Notification,
    {
      uuid: uuid(14),
      kind: 'moderation',
      title: 'App approved',
      text: 'Harbor Match may take part in campaigns.',
      severity: 'info',
      entity_type: 'app',
      entity_uuid: summary.uuid,
      is_own: false,
      read: false,
      created_at: times.created_at,
    },
    'Notification',
  ),
  give(CompanyInput, { name: 'Harbor Games', time_zone: 'Europe/Berlin' }),
  give(MarkRead, { ids: [uuid(14)] }),
  give(Change, change, 'Change'),
  give(ChangeList, { changes: [{ ...change, can_undo: true }], total: 1 }, 'ChangeList'),
];

function give<T extends z.ZodType>(schema: T, example: z.input<T>, id?: string) {
  z.globalRegistry.add(schema, { examples: [example], ...(id && { id }) });
  return { name: id ?? 'input', schema: schema as z.ZodType, example: example as unknown };
}
