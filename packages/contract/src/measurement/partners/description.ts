import type { Os } from '../../apps/fields.ts';

/**
 * Kind of a postback. `retargeting`: the person had the app before, so it is a conversion but no install. `no_activity`: it happened outside
 * the app, such as an uninstall.
 */
export type PostbackKind = 'install' | 'rejected' | 'retargeting' | 'event' | 'no_activity';

/** Parameters of postback URLs, the same for every partner; their values are macros of the partner. */
export const POSTBACK_PARAMETERS = [
  'click_id',
  /** The partner's token of an in-app event, in addition to its name. */
  'event',
  'event_name',
  /** The partner's unique id of the event. */
  'event_id',
  'revenue',
  'currency',
  'revenue_usd',
  'event_time',
  'install_time',
  /** Whether a click or a view came before. */
  'touch',
  'rejected',
  'reject_reason',
  'retargeting',
  'gaid',
  'idfa',
  'idfv',
] as const;
export type PostbackParameter = (typeof POSTBACK_PARAMETERS)[number];

/** A behaviour of a partner; `documented` is false, and the text empty, if its documentation does not state it. */
interface Fact {
  text: string;
  documented: boolean;
}

/**
 * It is met if the value of one of the parameters, in lower case, is one of `is`, or is given and none of `isNot`; or if the first that is
 * given, as {@link nameKeyOf} it, is one of `isNamed`.
 */
export interface Condition {
  parameters: readonly string[];
  is?: readonly string[];
  isNamed?: ReadonlySet<string>;
  isNot?: readonly string[];
}

/** A rule of the kind of a postback, which applies if its condition is met. */
export interface KindRule extends Condition {
  kind: PostbackKind;
  /** The partner rejects a retargeting conversion. */
  isRejection?: true;
}

/** A name of an event without differences between partners: case, spaces, dashes and underscores. */
export function nameKeyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Values of a flag that is set. */
export const TRUE: readonly string[] = ['1', 'true', 'yes'];
/** Values of a flag that is not set, which stand for no reason, too. */
export const FALSE: readonly string[] = ['0', 'false', 'no'];
/** The rule of every partner by which a postback is a rejection. */
export const IS_REJECTED: KindRule = {
  kind: 'rejected',
  parameters: ['rejected', 'is_rejected'],
  is: TRUE,
};

/**
 * The rule of every partner by which a postback is of a re-engagement. It comes before rules of rejections, since a re-engagement that is
 * rejected takes back no install.
 */
export const IS_RETARGETING: KindRule = {
  kind: 'retargeting',
  parameters: ['retargeting', 'is_retargeting'],
  is: TRUE,
};

/** A part of an in-app event that a postback reports. */
export type EventPart = 'name' | 'amount' | 'currency' | 'dollars' | 'eventAt' | 'installAt' | 'uniqueId';

/** A partner's own parameters and rules for postbacks about in-app events. */
export interface EventRules {
  /** Parameters that hold a part of the event; the parameters of all partners come first. */
  parameters?: Readonly<Partial<Record<EventPart, readonly string[]>>>;
  /** Parameters of amounts that are in cents, and not in units of the currency. */
  cents?: readonly string[];
  /** The parameter with the event's own values as JSON, and the amount and the currency in it. */
  values?: { parameter: string; amount: string; currency: string } | null;
}

/** A postback to set up at a partner. */
interface PostbackSetup {
  /** Its purpose and where to enter it. */
  purpose: string;
  /** Parameters with the partner's macro; those without one are left out. `name=value` is a fixed value. */
  parameters: readonly (PostbackParameter | `${string}=${string}`)[];
}

/** A measurement partner's tracking links. */
export interface PartnerLinks {
  /**
   * The usual click and view URL with Bidwell's macros. `<app>` stands for the store's id of the app, `<device>` for the parameter
   * of the device id, `<callback>` for the callback that the link itself contains.
   */
  click: string;
  view: string;
  /** Words in the templates that a person replaces, and their replacements. */
  placeholders: Readonly<Record<string, string>>;
  /** Domains of the partner, subdomains included; empty where they are not known. */
  domains: readonly string[];
  /** Its hosts for clicks and for views; null where they are the same or not documented. */
  clickHost: RegExp | null;
  viewHost: RegExp | null;
  /**
   * Parameters that the partner returns, with the macro that each must hold; one of them is required. Empty where it is not
   * documented: then {click_id} may be in any parameter.
   */
  clickIdIn: Readonly<Record<string, '{click_id}' | '{install_token}'>>;
  /** The parameter of the device's advertising id; more may follow after `&`. */
  device: Readonly<Record<Os, string>>;
  /** The parameter with which the partner records a click without redirecting to the store; null for none. */
  noRedirect: { param: string; value: string } | null;
  /** Hosts whose last path segment is the link's token; null for none. */
  tokenHost: RegExp | null;
  /** Hosts whose first path segment is the store's id of the app; null for none. */
  appHost: RegExp | null;
  /** Parameters without which the partner cannot use the link, and those it should have, with the reason. */
  required: Readonly<Record<string, string>>;
  advised: Readonly<Record<string, string>>;
  /** Parameters limited to 24 characters, the longer macros that do not fit, and the parameters to use instead. */
  short: Readonly<Record<string, readonly [macro: string, better: string]>>;
}

/**
 * Messages that a partner sends to the advertiser about every install and event of an app, under names of its own. Each is read as the
 * postback that the partner sends about the same, so that both count once.
 */
export interface PushMessages {
  /** What the partner calls them, and the last part of their address. */
  name: string;
  path: string;
  /** The partner's field of each of our parameters. */
  fields: Readonly<Partial<Record<PostbackParameter, string>>>;
  /** Further fields that are stored; all others are left out. */
  stored: readonly string[];
  /** Fields with the address of the click or view, in which the click id is; and fields that may hold the click id itself. */
  linkIn: readonly string[];
  clickIdIn: readonly string[];
  /** Names of messages, as {@link nameKeyOf} them, about a person who had the app before. */
  returns: ReadonlySet<string>;
  /** Parameters that the partner's postback about an install, or about such a return, does not have. */
  notOfInstalls: readonly PostbackParameter[];
  /** What to choose at the partner. */
  setup: string;
}

/** A measurement partner's postbacks. */
interface PartnerPostbacks {
  /** The macro for each parameter; absent where the partner has none. */
  macros: Readonly<Partial<Record<PostbackParameter, string>>>;
  /** Parameters whose macro the partner does not document; a macro of theirs in `macros` is one that others use. */
  undocumented: readonly PostbackParameter[];
  setups: readonly PostbackSetup[];
  /** Its messages to advertisers; absent where it sends none that are documented. */
  push?: PushMessages;
  /** The placeholders to replace in the URLs before they are used; null for none. */
  replace: string | null;
  method: Fact;
  encoding: Fact;
  retries: Fact;
  /** How a company's secret comes with postbacks: as it is in a header, or as the key of a signature. */
  credential: { kind: 'token' | 'signature'; header: string; label: string; description: string };
  /** Rules for the partner's own kinds; the first that applies decides. The rules of all partners follow. */
  kinds: readonly KindRule[];
  events: EventRules;
  /** Names, in lower case, under which the partner reports an install as an event; its own first. */
  installNames: readonly string[];
}

/** A page that documents a partner; `url` is null where its address is not known. */
export interface SourcePage {
  title: string;
  url: string | null;
}

/** An article of a help center that Zendesk hosts. */
export const article = (host: string, id: string): SourcePage => ({
  title: `${host} ${id}`,
  url: `https://${host}/hc/en-us/articles/${id}`,
});

/** A page of Moloco's help, which documents the links of partners for networks. */
export const ofMoloco = (id: string): SourcePage => article('help.moloco.com', id);

/** An article of Swaarm's help. */
export const ofSwaarm = (id: string): SourcePage => ({
  title: `docs.swaarm.com ${id}`,
  url: `https://docs.swaarm.com/en/articles/${id}`,
});

/** A measurement partner, as its documentation describes it. */
export interface Partner {
  name: string;
  links: PartnerLinks;
  postbacks: PartnerPostbacks;
  /** Where each part comes from. */
  sources: readonly { about: string; pages: readonly SourcePage[] }[];
}

/** The parts of a partner's links that need only the click id. */
export const plainLinks = {
  noRedirect: null,
  tokenHost: null,
  appHost: null,
  required: {},
  advised: {},
  short: {},
} satisfies Partial<PartnerLinks>;

/** All parameters but those whose macros a partner documents, or does not have. */
export function undocumentedBut(...known: readonly PostbackParameter[]): readonly PostbackParameter[] {
  return POSTBACK_PARAMETERS.filter((name) => !known.includes(name));
}

/** Parameters of an install, of an in-app event and of a rejected install. */
export const INSTALL_PARAMETERS = [
  'click_id',
  'event_id',
  'install_time',
  'touch',
  'retargeting',
  'gaid',
  'idfa',
  'idfv',
] as const satisfies readonly PostbackParameter[];
export const EVENT_PARAMETERS = [
  'click_id',
  'event',
  'event_name',
  'event_id',
  'revenue',
  'currency',
  'revenue_usd',
  'event_time',
  'install_time',
  'touch',
  'gaid',
  'idfa',
  'idfv',
] as const satisfies readonly PostbackParameter[];
export const REJECTION_PARAMETERS = [
  'click_id',
  'rejected=1',
  'reject_reason',
  'retargeting',
] as const satisfies PostbackSetup['parameters'];

/** A token that comes as it is in a header or in the parameter `token`. */
export function tokenIn(header: string, label = 'Token'): PartnerPostbacks['credential'] {
  return {
    kind: 'token',
    header,
    label,
    description: 'Must come in the header “Authorization” or the parameter “token”.',
  };
}

export const notDocumented: Fact = { text: '', documented: false };
export const documented = (text: string): Fact => ({ text, documented: true });
