import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { adjustLinkCallback } from '@bidwell/contract/postbacks/schema';
import { type LinkedApp, storeIdOf } from '../measurement/linked-app.ts';

/** Whether the template of the app's partner holds placeholders, which a person replaces. */
export function needsPartnerValues({ mobile_measurement_partner: mmp }: LinkedApp): boolean {
  return Object.keys(PARTNERS[mmp].links.placeholders).length > 0;
}

/** Whether URLs hold words that a person replaces, or will once the template of the app's partner fills them in. Pure. */
export function hasPartnerPlaceholders(
  { mobile_measurement_partner: mmp }: Pick<LinkedApp, 'mobile_measurement_partner'>,
  { click_url: click, view_url: view }: { click_url: string; view_url: string },
): boolean {
  const words = Object.keys(PARTNERS[mmp].links.placeholders);
  const isEmpty = click.trim() === '' && view.trim() === '';
  return words.some((word) => isEmpty || click.includes(word) || view.includes(word));
}

/** The usual URLs of a tracking link for the app's measurement partner. `origin` receives the postbacks. */
export function linkTemplate(app: LinkedApp, origin: string): { click_url: string; view_url: string } {
  const { click, view, device } = PARTNERS[app.mobile_measurement_partner].links;
  const filled = (template: string) =>
    template
      .replace('<app>', storeIdOf(app))
      .replace('<device>', device[app.os])
      .replace('<callback>', adjustLinkCallback(origin));
  return { click_url: filled(click), view_url: filled(view) };
}
