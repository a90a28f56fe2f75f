import {
  EVENT_PARAMETERS,
  INSTALL_PARAMETERS,
  type Partner,
  documented,
  notDocumented,
  tokenIn,
} from './description.ts';

const common = 'TRACKING_ID?click_id={click_id}&<device>&site_id={bundle}&creative_id={creative_id}';

const ofAppMetrica = (page: string) => ({
  title: `appmetrica.yandex.com ${page}`,
  url: `https://appmetrica.yandex.com/docs/en/mobile-tracking/${page}`,
});

export const appmetrica: Partner = {
  name: 'AppMetrica',
  links: {
    click: `https://redirect.appmetrica.yandex.com/serve/${common}`,
    view: `https://impression.appmetrica.yandex.com/serve/${common}`,
    placeholders: { TRACKING_ID: 'the tracking id that AppMetrica shows for your tracker' },
    domains: [
      'appmetrica.yandex.com',
      'appmetrika.yandex.com',
      'appmetrica.yandex.ru',
      'appmetrika.yandex.ru',
    ],
    clickHost: /^redirect\./,
    viewHost: /^impression\./,
    clickIdIn: { click_id: '{click_id}' },
    device: { android: 'google_aid={gaid}', ios: 'ios_ifa={idfa}' },
    noRedirect: { param: 'noredirect', value: '1' },
    tokenHost: /yandex\.(com|ru)$/,
    appHost: null,
    required: {},
    advised: {},
    short: {},
  },
  postbacks: {
    macros: {
      click_id: '{click_id}',
      event_name: '{conversion_event_name}',
      event_id: '{transaction_id}',
      revenue: '{price}',
      currency: '{currency}',
      event_time: '{conversion_timestamp}',
      install_time: '{install_timestamp}',
      touch: '{attributed_touch_type}',
      gaid: '{google_aid}',
      idfa: '{ios_ifa}',
      idfv: '{ios_ifv}',
    },
    undocumented: [],
    setups: [
      { purpose: 'Install postback', parameters: INSTALL_PARAMETERS },
      { purpose: 'Event postback', parameters: EVENT_PARAMETERS },
      // These have no event name of their own.
      { purpose: 'In-app purchase postback', parameters: named('purchase') },
      { purpose: 'Ad revenue postback', parameters: named('ad_revenue') },
    ],
    replace: null,
    method: documented('GET, or POST with the parameters in the body'),
    encoding: notDocumented,
    retries: documented('for 24 hours, every 3 to 10 minutes, unless the reply is 200 within 5 seconds'),
    credential: tokenIn('authorization'),
    kinds: [{ kind: 'event', parameters: ['conversion_event_name'], isNot: [] }],
    events: {},
    installNames: ['install'],
  },
  sources: [
    { about: 'tracking links', pages: [ofAppMetrica('tracking-specification')] },
    {
      about: 'macros of postbacks, repetitions',
      pages: [ofAppMetrica('postback-specification'), ofAppMetrica('postback-quota')],
    },
  ],
};

function named(event: string) {
  const own = EVENT_PARAMETERS.filter((parameter) => parameter !== 'event_name');
  return [...own, `event_name=${event}`] as const;
}
