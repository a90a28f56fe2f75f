import {
  EVENT_PARAMETERS,
  INSTALL_PARAMETERS,
  type Partner,
  documented,
  notDocumented,
  plainLinks,
  tokenIn,
  ofMoloco,
  ofSwaarm,
} from './description.ts';

const common =
  '%243p=AD_PARTNER&~click_id={click_id}&<device>&~campaign={campaign_name}&~campaign_id={campaign_id}&~ad_set_id={adset_id}&~creative_id={creative_id}&~secondary_publisher={bundle}&device_ip={ip}&user_agent={ua}';

export const branch: Partner = {
  name: 'Branch',
  links: {
    click: `https://SUBDOMAIN.app.link/LINK_PATH?${common}`,
    view: `https://impression.link/impression?branch_key=BRANCH_KEY&${common}`,
    placeholders: {
      SUBDOMAIN: 'the subdomain of your links at Branch',
      LINK_PATH: 'the path of the link that Branch shows',
      BRANCH_KEY: 'your key at Branch',
      AD_PARTNER: 'the name of the ad partner in the link that Branch shows',
    },
    domains: ['app.link', 'bnc.lt', 'impression.link'],
    clickHost: /\.app\.link$|^bnc\.lt$/,
    viewHost: /^impression\.link$/,
    clickIdIn: { '~click_id': '{click_id}' },
    device: { android: '%24aaid={gaid}', ios: '%24idfa={idfa}' },
    ...plainLinks,
  },
  postbacks: {
    macros: {
      click_id: '${(last_attributed_touch_data.~click_id)!}',
      event_name: '${(name)!}',
      event_id: '${(id)!}',
      revenue: '${(event_data.revenue)!}',
      currency: '${(event_data.currency)!}',
      revenue_usd: '${(event_data.revenue_in_usd)!}',
      event_time: '${(event_timestamp)!}',
      touch: '${(last_attributed_touch_type)!}',
      gaid: '${(user_data.aaid)!}',
      idfa: '${(user_data.idfa)!}',
      idfv: '${(user_data.idfv)!}',
    },
    undocumented: ['rejected', 'reject_reason'],
    setups: [
      {
        purpose: 'Install and open postback',
        parameters: [...INSTALL_PARAMETERS, 'event_name', 'event_time'],
      },
      { purpose: 'Event postback', parameters: EVENT_PARAMETERS },
    ],
    replace: null,
    method: documented('GET or POST'),
    encoding: notDocumented,
    retries: notDocumented,
    credential: tokenIn('authorization'),
    kinds: [
      { kind: 'retargeting', parameters: ['event_name', 'event', 'name'], is: ['reinstall', 'open'] },
      { kind: 'event', parameters: ['name'], isNot: ['install'] },
    ],
    // Other partners use these names for anything.
    events: { parameters: { name: ['name'], uniqueId: ['id'] } },
    installNames: ['install'],
  },
  sources: [
    { about: 'tracking links', pages: [ofMoloco('6187501857559'), ofMoloco('8205078550807')] },
    {
      about: 'macros of postbacks',
      pages: [
        {
          title: 'help.branch.io postback-macros-functions',
          url: 'https://help.branch.io/developer-hub/postback-macros-functions',
        },
        ofSwaarm('5247011'),
      ],
    },
  ],
};
