/** Macros that a tracking link may contain in braces, and their values. */
export const TRACKING_MACROS = {
  click_id: 'The signed id of the click, which the measurement partner echoes',
  install_token:
    'A signed token that can report the install of this one click, for Adjust’s install_callback',
  campaign_id: 'The campaign’s id',
  campaign_name: 'The campaign’s name',
  adset_id: 'The ad set’s id',
  creative_id: 'The creative’s id',
  campaign_short_id: 'The campaign’s id in 22 characters, for parameters that take no longer ones',
  adset_short_id: 'The ad set’s id in 22 characters',
  creative_short_id: 'The creative’s id in 22 characters',
  site_id: 'The publisher app’s bundle, in at most 24 characters',
  bundle: 'The publisher app’s bundle or store id',
  exchange: 'The exchange',
  country: 'The country, two letters',
  ip: 'The device’s address',
  ua: 'The device’s user agent',
  lang: 'The device’s language',
  idfa: 'Apple’s advertising id, in upper case, where it may be used',
  gaid: 'Google’s advertising id, where it may be used',
  timestamp: 'Unix seconds of the click or view',
  deep_link:
    'The deep link of the ad set; a parameter that holds nothing else is left out where the ad set has none',
} as const;

export type TrackingMacro = keyof typeof TRACKING_MACROS;

/** True for the name of a macro; false for inherited properties such as `constructor`. */
export function isTrackingMacro(name: string): name is TrackingMacro {
  return Object.hasOwn(TRACKING_MACROS, name);
}

export type TrackingValues = Partial<Record<TrackingMacro, string>>;

/**
 * Replaces the macros of a tracking link by percent-encoded values. A macro without a value becomes empty; unknown names
 * in braces stay, since they may be macros of the measurement partner. A parameter that holds only a deep link that there is not is left out.
 */
export function fillTrackingMacros(template: string, values: TrackingValues): string {
  let filled = '';
  const isShorter = template.includes('={deep_link}') && !values.deep_link;
  for (const { text, macro } of partsOf(isShorter ? withoutDeepLink(template) : template))
    filled += text + (macro ? encoded(values[macro] ?? '') : '');
  return filled;
}

/** A link without the parameters that hold the deep link alone: partners take an empty one for the address to open. */
function withoutDeepLink(template: string): string {
  return template
    .replaceAll(/&[^&#?=]*=\{deep_link\}(?=[&#]|$)/g, '')
    .replaceAll(/\?[^&#?=]*=\{deep_link\}(?:&|(?=#|$))/g, '?');
}

interface Part {
  text: string;
  /** The macro after the text; null at the end. */
  macro: TrackingMacro | null;
}

const PARTED_MAX = 1000;
const parted = new Map<string, Part[]>();

/** Splits a template into parts, cached because a bidder fills the same few thousands of times a second. */
function partsOf(template: string): readonly Part[] {
  const known = parted.get(template);
  if (known) return known;
  const parts: Part[] = [];
  let at = 0;
  for (const match of template.matchAll(/\{([a-z_]+)\}/g)) {
    const [whole, name = ''] = match;
    if (!isTrackingMacro(name)) continue;
    parts.push({ text: template.slice(at, match.index), macro: name });
    at = match.index + whole.length;
  }
  parts.push({ text: template.slice(at), macro: null });
  if (parted.size >= PARTED_MAX) parted.clear();
  parted.set(template, parts);
  return parts;
}

function encoded(value: string): string {
  return /^[\w.~-]*$/.test(value) ? value : encodeURIComponent(wellFormed(value));
}

/** Replaces lone surrogates, which a header may hold and which make encodeURIComponent throw. */
function wellFormed(text: string): string {
  return text.replaceAll(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}
