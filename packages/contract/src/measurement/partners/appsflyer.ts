import {
  EVENT_PARAMETERS,
  FALSE,
  INSTALL_PARAMETERS,
  IS_RETARGETING,
  type Partner,
  type PushMessages,
  REJECTION_PARAMETERS,
  documented,
  notDocumented,
  tokenIn,
  article,
} from './description.ts';

// The id parameters of a link are limited to 24 characters: they get short ids, by which AppsFlyer matches costs. Whole ids go into
// parameters of 100.
const common =
  '<app>?pid=bidwell_int&clickid={click_id}&c={campaign_name}&af_adset={adset_id}&af_ad={creative_id}&af_sub1={campaign_id}&af_c_id={campaign_short_id}&af_adset_id={adset_short_id}&af_ad_id={creative_short_id}&af_siteid={site_id}&af_sub_siteid={bundle}&af_channel={exchange}&<device>&af_ip={ip}&af_ua={ua}&af_lang={lang}';

const ofAppsFlyer = (id: string) => article('support.appsflyer.com', id);

const FIELDS = {
  event_name: 'event_name',
  revenue: 'event_revenue',
  currency: 'event_revenue_currency',
  revenue_usd: 'event_revenue_usd',
  event_time: 'event_time',
  install_time: 'install_time',
  touch: 'attributed_touch_type',
  reject_reason: 'blocked_reason',
  retargeting: 'is_retargeting',
  gaid: 'advertising_id',
  idfa: 'idfa',
  idfv: 'idfv',
} as const satisfies PushMessages['fields'];

const push: PushMessages = {
  name: 'Push API',
  path: 'push',
  fields: FIELDS,
  stored: ['app_id', 'media_source', 'campaign', 'conversion_type', 'oaid', 'appsflyer_id'],
  // Raw data has no field for the parameter clickid of a link.
  linkIn: ['original_url'],
  clickIdIn: ['clickid', 'click_id', 'af_sub1', 'af_sub2', 'af_sub3', 'af_sub4', 'af_sub5'],
  returns: new Set(['reengagement', 'reattribution', 'reinstall']),
  notOfInstalls: ['revenue', 'currency', 'revenue_usd', 'event_time'],
  setup: `Choose the method POST, the messages Install, Re-engagement, Re-attribution, Reinstall and their in-app events, and all fields, or at least app_id, original_url, ${Object.values(FIELDS).join(', ')}. A token goes into the header Authorization.`,
};

export const appsflyer: Partner = {
  name: 'AppsFlyer',
  links: {
    click: `https://app.appsflyer.com/${common}&af_click_lookback=7d`,
    view: `https://impression.appsflyer.com/${common}&af_viewthrough_lookback=24h`,
    placeholders: {},
    domains: ['appsflyer.com', 'onelink.me'],
    clickHost: /^app\.appsflyer\.com$|^(?!impressions\.)[^.]+\.onelink\.me$/,
    viewHost: /^impression\.appsflyer\.com$|^impressions\.onelink\.me$/,
    clickIdIn: { clickid: '{click_id}' },
    device: { android: 'advertising_id={gaid}', ios: 'idfa={idfa}' },
    noRedirect: { param: 'redirect', value: 'false' },
    tokenHost: null,
    appHost: /appsflyer\.com$/,
    required: { pid: 'AppsFlyer cannot tell which media source the link belongs to' },
    advised: { af_siteid: 'AppsFlyer may block installs without a publisher' },
    short: {
      af_c_id: ['{campaign_id}', 'af_sub1'],
      af_adset_id: ['{adset_id}', 'af_adset'],
      af_ad_id: ['{creative_id}', 'af_ad'],
      af_siteid: ['{bundle}', 'af_sub_siteid'],
    },
  },
  postbacks: {
    macros: {
      click_id: '(clickid)',
      event_name: '(event_name)',
      revenue: '(event_revenue)',
      currency: '(event_revenue_currency)',
      revenue_usd: '(event_revenue_USD)',
      event_time: '(event_time)',
      install_time: '(install-unix-ts)',
      touch: '(attributed_touch_type)',
      reject_reason: '(blocked_reason)',
      retargeting: '(is_retargeting)',
      gaid: '(advertising_id)',
      idfa: '(idfa)',
      idfv: '(idfv)',
    },
    undocumented: [],
    setups: [
      { purpose: 'Install postback', parameters: [...INSTALL_PARAMETERS, 'event_name=install'] },
      { purpose: 'In-app event postback', parameters: EVENT_PARAMETERS },
      { purpose: 'Rejected install postback', parameters: REJECTION_PARAMETERS },
    ],
    push,
    replace: null,
    method: documented('GET'),
    encoding: notDocumented,
    retries: notDocumented,
    credential: {
      ...tokenIn('authentication', 'S2S token'),
      description: 'Must come in the header “authentication” or “Authorization”, or the parameter “token”.',
    },
    kinds: [
      { kind: 'event', parameters: ['event_name', 'event-name'], isNot: ['install'] },
      IS_RETARGETING,
      { kind: 'rejected', parameters: ['blocked_reason', 'reject_reason'], isNot: FALSE },
    ],
    events: { values: { parameter: 'event_value', amount: 'af_revenue', currency: 'af_currency' } },
    installNames: ['install'],
  },
  sources: [
    { about: 'tracking links', pages: [ofAppsFlyer('207447163')] },
    { about: 'macros of postbacks', pages: [ofAppsFlyer('207273946'), ofAppsFlyer('360016751637')] },
    { about: 'rejected installs', pages: [ofAppsFlyer('115004744123')] },
    {
      about: 'messages of the Push API',
      pages: [
        ofAppsFlyer('207034356'),
        ofAppsFlyer('208387843'),
        {
          title: 'dev.appsflyer.com authentication-token',
          url: 'https://dev.appsflyer.com/hc/reference/authentication-token',
        },
      ],
    },
  ],
};
