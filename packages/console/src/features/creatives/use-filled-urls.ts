import { useEffect, useRef } from 'react';
import { useKnown } from '../../lib/loadable.ts';
import { trackingLinksQuery } from '../../entities/tracking-links/queries.ts';
import { type CreativeUrls, filledUrls } from './own-urls.ts';

interface UrlForm {
  getValues: () => CreativeUrls;
  setValues: (urls: CreativeUrls) => void;
}

const NO_URLS: CreativeUrls = { click_url: '', view_url: '' };

/**
 * Fills the URLs of a form from the newest tracking link of an app, again when another app is chosen, unless someone has
 * changed them. Returns the URLs that it was filled with; null without a link, and until links are known.
 */
export function useFilledUrls(form: UrlForm, appUuid: string): CreativeUrls | null {
  const links = useKnown(trackingLinksQuery);
  const filled = links ? filledUrls(links, appUuid) : null;
  const { click_url: clickUrl, view_url: viewUrl } = filled ?? NO_URLS;
  const last = useRef(NO_URLS);
  useEffect(() => {
    const { click_url, view_url } = form.getValues();
    const next = { click_url: clickUrl, view_url: viewUrl };
    const isEmpty = click_url === '' && view_url === '';
    const isAsFilled = click_url === last.current.click_url && view_url === last.current.view_url;
    if ((isEmpty || isAsFilled) && (click_url !== clickUrl || view_url !== viewUrl)) form.setValues(next);
    last.current = next;
  }, [form, clickUrl, viewUrl]);
  return filled;
}
