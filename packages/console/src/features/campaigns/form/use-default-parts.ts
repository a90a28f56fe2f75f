import type { App } from '@bidwell/contract/apps/schema';
import { TargetInput } from '@bidwell/contract/targets/schema';
import { TrackingLinkInput } from '@bidwell/contract/tracking-links/schema';
import { useState } from 'react';
import { linkTemplate, needsPartnerValues } from '../../../entities/tracking-links/link-templates.ts';
import { mmpNames } from '@bidwell/contract/measurement/mmp-names';
import { createTarget } from '../../../entities/targets/queries.ts';
import { createTrackingLink } from '../../../entities/tracking-links/queries.ts';
import { toastError } from '../../../lib/toast.ts';

type Part = 'target' | 'tracking-link';

interface DefaultPartsOptions {
  app: App | undefined;
  onTarget: (uuid: string) => void;
  onLink: (uuid: string) => void;
}

/**
 * Creates the usual target and tracking link of an app without a form: everyone, and the template of the measurement
 * partner. `busy` is the one that is being created.
 */
export function useDefaultParts({ app, onTarget, onLink }: DefaultPartsOptions) {
  const [busy, setBusy] = useState<Part>();
  const create = async (
    part: Part,
    make: () => Promise<{ uuid: string }>,
    onCreated: (uuid: string) => void,
  ) => {
    setBusy(part);
    try {
      onCreated((await make()).uuid);
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(undefined);
    }
  };
  return {
    busy,
    createTarget:
      app &&
      (() =>
        void create(
          'target',
          () => createTarget(TargetInput.parse({ app_id: app.uuid, name: 'Everyone' })),
          onTarget,
        )),
    /** Undefined where the template needs values that only the partner shows. */
    createLink:
      app && !needsPartnerValues(app)
        ? () => void create('tracking-link', () => createTrackingLink(templateLink(app)), onLink)
        : undefined,
  };
}

function templateLink(app: App): TrackingLinkInput {
  return TrackingLinkInput.parse({
    app_id: app.uuid,
    name: mmpNames[app.mobile_measurement_partner],
    ...linkTemplate(app, window.location.origin),
  });
}
