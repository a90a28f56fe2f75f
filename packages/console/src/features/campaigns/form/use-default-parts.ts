import type { App } from '@bidwell/contract/apps/schema';
import { TargetInput } from '@bidwell/contract/targets/schema';
import { TrackingLinkInput } from '@bidwell/contract/tracking-links/schema';
import { linkTemplate, needsPartnerValues } from '../../../entities/tracking-links/link-templates.ts';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { createTarget } from '../../../entities/targets/queries.ts';
import { createTrackingLink } from '../../../entities/tracking-links/queries.ts';
import { useSave } from '../../../ui/form/use-save.ts';

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
  const target = useSave({
    send: ({ uuid }: App) => createTarget(TargetInput.parse({ app_id: uuid, name: 'Everyone' })),
    onSaved: ({ uuid }) => onTarget(uuid),
  });
  const link = useSave({
    send: (of: App) => createTrackingLink(templateLink(of)),
    onSaved: ({ uuid }) => onLink(uuid),
  });
  const busy: Part | undefined = target.busy ? 'target' : link.busy ? 'tracking-link' : undefined;
  return {
    busy,
    createTarget: app && (() => target.save(app)),
    /** Undefined where the template needs values that only the partner shows. */
    createLink: app && !needsPartnerValues(app) ? () => link.save(app) : undefined,
  };
}

function templateLink(app: App): TrackingLinkInput {
  return TrackingLinkInput.parse({
    app_id: app.uuid,
    name: mmpNames[app.mobile_measurement_partner],
    ...linkTemplate(app, window.location.origin),
  });
}
