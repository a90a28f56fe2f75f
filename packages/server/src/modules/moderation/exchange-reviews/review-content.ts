import { type ReviewedAd, reviewMarkup } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import type { ReviewedParts } from './review-store.ts';
import type { Submission } from './reviewer.ts';

/** Of a playable, which fills its frame: a phone in portrait. */
const PLAYABLE_SIZE = { width: 320, height: 480 };

/** What an exchange gets of a creative. The same version has the same content. */
export function submissionOf(
  { config }: Pick<Context, 'config'>,
  parts: ReviewedParts,
  { creativeId, version, since }: Pick<Submission, 'creativeId' | 'version' | 'since'>,
): Submission {
  const fileOf = (file: ReviewedParts['file']): ReviewedAd['file'] => ({
    ...file,
    width: file.width ?? 0,
    height: file.height ?? 0,
    url: `${config.assetOrigin ?? config.publicUrl ?? `http://localhost:${config.port}`}/m/${file.uuid}.${file.extension}`,
  });
  const file = fileOf(parts.file);
  const { type, storeLink: clickUrl } = parts;
  const advertiserDomain = parts.advertiserDomain ?? '';
  const markup = reviewMarkup({
    creativeId,
    type,
    appName: parts.appName,
    advertiserDomain,
    clickUrl,
    file,
    endCard: parts.endCard && fileOf(parts.endCard),
    durationMs: parts.durationMs ?? 0,
  });
  const { width, height } = type === 'Playable' ? PLAYABLE_SIZE : file;
  return {
    creativeId,
    version,
    since,
    type,
    width,
    height,
    advertiser: parts.companyName,
    clickUrl,
    markup,
    // Its creative group may have the texts of a native ad.
    title: parts.title || parts.appName,
    description: parts.description ?? '',
    sponsor: parts.sponsor || parts.companyName,
    image: { url: file.url, width: file.width, height: file.height },
  };
}
