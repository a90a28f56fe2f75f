import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { adsetFields } from '@bidwell/contract/adsets/fields';
import { limits } from '@bidwell/contract/lib/limits';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { TextInput } from '@mantine/core';
import { brand } from '../../../lib/brand.ts';
import { FoldedFields } from '../../../ui/form/folded-fields.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { Field } from '../form/field.tsx';
import type { AdsetFieldsProps } from './adset-fields-props.ts';

interface DeepLinkFieldProps extends AdsetFieldsProps {
  /** The chosen tracking link; undefined while none is chosen or known. */
  link: TrackingLink | undefined;
  campaignKind: CampaignKind | undefined;
}

/** Where in the app a click leads, and whether the measurement partner or this server opens it. */
export function DeepLinkField({
  values,
  onChange,
  errors,
  prefix = '',
  link,
  campaignKind,
}: DeepLinkFieldProps) {
  const { deep_link: deepLink } = values;
  return (
    <FoldedFields
      label={adsetFields.deep_link.label}
      isUsed={campaignKind === 're_engagement' || deepLink !== null || Boolean(errors['deep_link'])}
    >
      <Field path={`${prefix}deep_link`}>
        <TextInput
          label={adsetFields.deep_link.label}
          description="The screen of the app that a click opens: a universal link (https) of the developer’s own website, or a link of the app’s own scheme. It may have the macros of tracking links."
          placeholder="myapp://offers/1"
          maxLength={limits.deepLinkMax}
          spellCheck={false}
          value={deepLink ?? ''}
          onChange={(event) => onChange({ deep_link: event.currentTarget.value || null })}
          error={errors['deep_link']}
        />
      </Field>
      {deepLink !== null && link && <Caption>{openingText(link, campaignKind)}</Caption>}
    </FoldedFields>
  );
}

function openingText({ click_url: clickUrl, app }: TrackingLink, kind: CampaignKind | undefined): string {
  const partner = partnerInText(app.mobile_measurement_partner);
  if (clickUrl.includes('{deep_link}'))
    return `The tracking link passes it to ${partner}, which opens the app.`;
  const missing = 'The tracking link does not contain {deep_link}';
  if (kind === 'acquisition') return `${missing}, so nothing opens the deep link.`;
  return `${missing}: in a re-engagement campaign ${brand.name} opens the app itself, and ${partner} does not see the click. Add {deep_link} to the link so that returns are counted.`;
}
