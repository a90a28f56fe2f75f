import type { ModerationItem } from '@bidwell/contract/moderation/schema';

const link = 'The link does not lead to the advertised app.';
const brand = 'It uses the name or logo of someone else without permission.';
const misleading = 'It promises something that the app does not offer.';
const adult = 'It shows adult, violent or shocking content.';
const system = 'It imitates a system message, a warning or a button of another app.';
const language = 'The text has errors or cannot be understood.';

/** Usual reasons of a rejection, which the advertiser reads, by kind of entity. At most nine. */
export const rejectReasons: Record<ModerationItem['entity'], readonly string[]> = {
  app: [
    'The store link does not lead to an app with this name.',
    'The app’s category is not advertised here.',
    brand,
    adult,
  ],
  creative: [
    misleading,
    system,
    'It is blurred, cut off or cannot be read.',
    adult,
    brand,
    link,
    'It loads files from other servers.',
    'It does not work: nothing happens on a tap.',
  ],
  creative_group: [misleading, system, language, adult, brand],
  tracking_link: [link, 'The link leads to an error.', 'The link downloads a file.'],
};
