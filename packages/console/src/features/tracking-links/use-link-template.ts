import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { UrlField } from './findings.ts';
import { linkTemplate } from '../../entities/tracking-links/link-templates.ts';
import type { LinkedApp } from '../../entities/measurement/mmp-rules.ts';
import type { TrackingLinkValues } from './tracking-link-values.ts';

/** Fills both URLs with the template of the app's measurement partner, and takes it back. */
export function useLinkTemplate(form: UseFormReturnType<TrackingLinkValues>, app: LinkedApp | undefined) {
  const [replaced, setReplaced] = useState<Pick<TrackingLinkValues, UrlField>>();
  return {
    fill: () => {
      if (!app) return;
      const { click_url, view_url } = form.values;
      setReplaced(click_url || view_url ? { click_url, view_url } : undefined);
      form.setValues(linkTemplate(app, window.location.origin));
    },
    /** Restores the URLs that the template replaced; undefined where it replaced none. */
    undo:
      replaced &&
      (() => {
        form.setValues(replaced);
        setReplaced(undefined);
      }),
  };
}
