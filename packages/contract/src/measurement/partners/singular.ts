import {
  EVENT_PARAMETERS,
  INSTALL_PARAMETERS,
  type Partner,
  documented,
  notDocumented,
  plainLinks,
  tokenIn,
  article,
  ofMoloco,
} from './description.ts';

const common =
  'LINK_PATH?cl={click_id}&<device>&pcn={campaign_name}&pcid={campaign_id}&pscid={adset_id}&pcrid={creative_id}&psid={bundle}&ip={ip}&ua={ua}&lc={lang}';

const ofSingular = (id: string) => article('support.singular.net', id);

export const singular: Partner = {
  name: 'Singular',
  links: {
    click: `https://SUBDOMAIN.sng.link/${common}`,
    view: `https://i.sng.link/${common}`,
    placeholders: {
      SUBDOMAIN: 'the subdomain of your links at Singular',
      LINK_PATH: 'the path of the link that Singular shows',
    },
    domains: ['sng.link', 'singular.net', 'apsalar.com'],
    clickHost: /^(?!i\.)[^.]+\.(?:sng\.link|singular\.net|apsalar\.com)$/,
    viewHost: /^i\.(?:sng\.link|singular\.net|apsalar\.com)$/,
    clickIdIn: { cl: '{click_id}' },
    device: { android: 'aifa={gaid}', ios: 'idfa={idfa}' },
    ...plainLinks,
  },
  postbacks: {
    macros: {
      click_id: '{cl?NETWORK_NAME}',
      event_name: '{EVTNAME}',
      revenue: '{AMOUNT}',
      event_time: '{UTCM}',
      touch: '{IS_VIEWTHROUGH}',
      retargeting: '{IS_RE_ENG}',
      gaid: '{AIFA}',
      idfa: '{IDFA}',
    },
    undocumented: ['currency', 'install_time', 'rejected', 'reject_reason'],
    setups: [
      { purpose: 'Install and re-engagement postback', parameters: INSTALL_PARAMETERS },
      { purpose: 'In-app event postback', parameters: EVENT_PARAMETERS },
    ],
    replace: 'Replace NETWORK_NAME with the name under which Singular lists this network.',
    method: documented('GET'),
    encoding: notDocumented,
    retries: documented('after a status from 500 to 559, 5 times: after 1, 5, 15, 30 and 60 minutes'),
    credential: tokenIn('authorization'),
    kinds: [],
    events: {},
    installNames: ['install'],
  },
  sources: [
    {
      about: 'tracking links',
      pages: [ofSingular('360018879491'), ofSingular('13000445013531'), ofMoloco('8204656607383')],
    },
    {
      about: 'macros of postbacks, repetitions',
      pages: [ofSingular('115004063323'), ofSingular('115000483946')],
    },
  ],
};
