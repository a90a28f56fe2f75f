import {
  EVENT_PARAMETERS,
  INSTALL_PARAMETERS,
  POSTBACK_PARAMETERS,
  type Partner,
  REJECTION_PARAMETERS,
  notDocumented,
  plainLinks,
  tokenIn,
} from './description.ts';

const common =
  '?click_id={click_id}&<device>&campaign_id={campaign_id}&adset_id={adset_id}&creative_id={creative_id}&bundle={bundle}&ip={ip}&ua={ua}';

/** Any other measurement partner, and a company's own attribution. */
export const other: Partner = {
  name: 'Other',
  links: {
    click: `https://CLICK_ADDRESS/${common}`,
    view: `https://VIEW_ADDRESS/${common}`,
    placeholders: {
      CLICK_ADDRESS: 'the address for clicks that your partner shows',
      VIEW_ADDRESS: 'the address for views that your partner shows',
    },
    domains: [],
    clickHost: null,
    viewHost: null,
    clickIdIn: {},
    device: { android: 'gaid={gaid}', ios: 'idfa={idfa}' },
    ...plainLinks,
  },
  postbacks: {
    macros: Object.fromEntries(POSTBACK_PARAMETERS.map((name) => [name, `{${name}}`])),
    undocumented: [],
    setups: [
      { purpose: 'Install postback', parameters: INSTALL_PARAMETERS },
      { purpose: 'In-app event postback', parameters: EVENT_PARAMETERS },
      { purpose: 'Rejected install postback', parameters: REJECTION_PARAMETERS },
    ],
    replace: 'Replace what is in braces with the macros of your partner.',
    method: notDocumented,
    encoding: notDocumented,
    retries: notDocumented,
    credential: tokenIn('authorization'),
    kinds: [],
    events: {},
    installNames: ['install'],
  },
  sources: [],
};
