import { randomBytes } from 'node:crypto';
import type { AuctionBid } from '../auction/auction.ts';
import { shownSize } from '../auction/fit-banner.ts';
import { playableSize } from '../auction/fit-playable.ts';
import type { BidTokens } from '../trackers/signing.ts';
import type { Purpose } from '../trackers/purpose.ts';
import type { ParsedImp, ParsedRequest, ParsedVideo } from '../model/bid-request.ts';
import type { Candidate } from '../model/candidate.ts';
import { encodedUrl, escapeHtml } from '../markup/escape.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import type { OpenRtbVersion } from './response.ts';

/** What differs between two bids of one template: ids, price, the partner's view URL, and the token of each purpose. */
type Slot = 'id' | 'impid' | 'price' | 'view' | Purpose;

/** A bid as JSON in parts: a slot follows each text but the last. */
interface BidTemplate {
  texts: readonly string[];
  slots: readonly Slot[];
}

/** Values of a bid's slots. */
interface SlotValues {
  bidId: string;
  impId: string;
  price: number;
  /** Not encoded. */
  viewUrl: string;
  tokens: BidTokens;
}

/** Surrounds the names of slots. Random, so that no text of an advertiser contains it; escaping leaves it as it is. */
const MARK = `x${randomBytes(12).toString('hex')}x`;
const marked = (slot: Slot): string => MARK + slot + MARK;

/** Templates in memory at once; each takes a few KB. */
const TEMPLATES_MAX = 5000;
let templates = new WeakMap<Candidate, Map<string, BidTemplate>>();
let templateCount = 0;

/**
 * JSON of a bid from its template, which is compiled once for a creative of the snapshot and {@link templateKey}.
 * `renderPlain` renders the bid object with the usual functions: a template is its result with marks in place of the
 * slots' values.
 */
export function bidFromTemplate(
  { candidate, creative }: AuctionBid,
  key: string,
  values: SlotValues,
  renderPlain: (marks: SlotMarks) => object,
): string {
  let byKey = templates.get(candidate);
  const fullKey = `${creative.uuid} ${key}`;
  let template = byKey?.get(fullKey);
  if (!template) {
    if (templateCount >= TEMPLATES_MAX) {
      templates = new WeakMap();
      byKey = undefined;
      templateCount = 0;
    }
    if (!byKey) templates.set(candidate, (byKey = new Map<string, BidTemplate>()));
    byKey.set(fullKey, (template = compile(renderPlain(MARKS))));
    templateCount += 1;
  }
  const isHtml = creative.type === 'Banner';
  return filled(template, values, isHtml);
}

/** Marks to render in place of the values. */
interface SlotMarks {
  bidId: string;
  impId: string;
  price: string;
  viewUrl: string;
  tokens: BidTokens;
}
const MARKS: SlotMarks = {
  bidId: marked('id'),
  impId: marked('impid'),
  price: marked('price'),
  viewUrl: marked('view'),
  tokens: marked,
};

function compile(bid: object): BidTemplate {
  // These two are JSON values of their own, without the quotes of the mark.
  const json = JSON.stringify(bid)
    .replace(`"${MARKS.impId}"`, MARKS.impId)
    .replace(`"${MARKS.price}"`, MARKS.price);
  const parts = json.split(MARK);
  return {
    texts: parts.filter((_part, index) => index % 2 === 0),
    slots: parts.filter((_part, index) => index % 2 === 1) as Slot[],
  };
}

function filled({ texts, slots }: BidTemplate, values: SlotValues, isHtml: boolean): string {
  let json = texts[0]!;
  for (let index = 0; index < slots.length; index += 1)
    json += valueOf(slots[index]!, values, isHtml) + texts[index + 1]!;
  return json;
}

function valueOf(slot: Slot, { bidId, impId, price, viewUrl, tokens }: SlotValues, isHtml: boolean): string {
  switch (slot) {
    case 'id':
      return bidId;
    case 'impid':
      return JSON.stringify(impId);
    case 'price':
      return String(price);
    case 'view': {
      // An encoded URL has no character that JSON, a script or CDATA would escape.
      const url = encodedUrl(viewUrl);
      return isHtml ? escapeHtml(url) : url;
    }
    default:
      return tokens(slot);
  }
}

/** Everything besides the slots and the creative on which a bid object depends. */
export function templateKey(
  { imp, candidate, creative, ref }: AuctionBid,
  { categoryTaxonomy, dsa }: ParsedRequest,
  { slug, chargeOn, clickMacro, priceMacro, lossMacro }: Ssp,
  version: OpenRtbVersion,
  isMeasured: boolean,
): string {
  const language = candidate.languages.include.size > 0 ? ref.language : '';
  const terms = `${version} ${categoryTaxonomy} ${dsa !== null} ${imp.expiresAfterSeconds} ${language}`;
  const exchange = `${slug} ${chargeOn} ${clickMacro} ${priceMacro} ${lossMacro}`;
  if (creative.type !== 'Banner')
    return `${terms} ${exchange} ${isMeasured} ${variantOf(creative.type, imp)}`;
  const { width, height } = shownSize(creative.file, imp);
  return `${terms} ${exchange} ${width} ${height}`;
}

/** The part of an imp on which the markup of a creative type depends. */
function variantOf(
  type: 'Native' | 'Video' | 'Playable',
  { banner, video, native, rewarded }: ParsedImp,
): string {
  switch (type) {
    case 'Native':
      return JSON.stringify(native);
    case 'Video':
      return video ? `${rewarded} ${videoVariant(video)}` : '';
    case 'Playable':
      return JSON.stringify(banner && [playableSize(banner), banner.apis]);
  }
}

/** Without floors and pods, which differ between requests and leave the markup as it is. */
function videoVariant({
  protocols,
  skippable,
  skipMinSeconds,
  skipAfterSeconds,
  blockedAttributes,
}: ParsedVideo): string {
  return `${protocols.join()} ${skippable} ${skipMinSeconds} ${skipAfterSeconds} ${blockedAttributes.join()}`;
}
