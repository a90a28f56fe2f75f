import { DEFAULT_OVERLAY, type SkOverlay } from '@bidwell/contract/adsets/app-store';
import { limits } from '@bidwell/contract/lib/limits';
import { NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { type Loadable, knownAs, mapped, useLoadable } from '../../../lib/loadable.ts';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { Choice } from '../../../ui/form/choice.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { Field } from '../form/field.tsx';
import type { AdsetFieldsProps } from './adset-fields-props.ts';

const positions: { value: SkOverlay['position']; label: string }[] = [
  { value: 'bottom', label: 'At the bottom' },
  { value: 'raised', label: 'Raised above the bottom' },
];

/** Whether an app is one of the App Store; false if none is chosen yet. */
export function useAppOfAppStore(appUuid: string | undefined): Loadable<boolean> {
  const apps = useLoadable(appsQuery);
  if (!appUuid) return knownAs(false);
  return mapped(apps, (known) => known.some(({ uuid, os }) => uuid === appUuid && os === 'ios'));
}

/** The custom product page and the SKOverlay of an ad set of an iOS app. */
export function AppStoreFields({ values, onChange, errors, prefix = '' }: AdsetFieldsProps) {
  const { overlay } = values;
  return (
    <>
      <Field path={`${prefix}product_page_id`}>
        <TextInput
          label="Custom product page"
          description="Its UUID, the part after “ppid=” of its address in App Store Connect. Used where the bid is signed for SKAdNetwork or AdAttributionKit and the publisher’s app can show it; other ads lead to the default page."
          maxLength={36}
          value={values.product_page_id ?? ''}
          onChange={(event) => onChange({ product_page_id: event.currentTarget.value.trim() || null })}
          error={errors['product_page_id']}
        />
      </Field>
      <Field path={`${prefix}overlay`}>
        <Stack gap="sm" role="group" aria-label="SKOverlay">
          <Switch
            label="Show SKOverlay"
            description="The publisher’s app shows the app of the App Store over the ad, with a button to install it. Only in signed bids, and where the publisher’s app says that it can."
            checked={overlay !== null}
            onChange={(event) => onChange({ overlay: event.currentTarget.checked ? DEFAULT_OVERLAY : null })}
          />
          {overlay && (
            <OverlayFields overlay={overlay} onChange={(changed) => onChange({ overlay: changed })} />
          )}
          {errors['overlay'] !== undefined && <ErrorText>{errors['overlay']}</ErrorText>}
        </Stack>
      </Field>
    </>
  );
}

interface OverlayFieldsProps {
  overlay: SkOverlay;
  onChange: (overlay: SkOverlay) => void;
}

function OverlayFields({ overlay, onChange }: OverlayFieldsProps) {
  const seconds = (name: 'delay' | 'end_card_delay') => ({
    description: 'Leave empty not to show it there',
    suffix: ' s',
    min: 0,
    max: limits.overlayDelayMaxSeconds,
    allowDecimal: false,
    allowNegative: false,
    value: overlay[name] ?? '',
    onChange: (value: number | string) =>
      onChange({ ...overlay, [name]: typeof value === 'number' ? value : null }),
  });
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberInput label="Delay over the ad" {...seconds('delay')} />
        <NumberInput label="Delay after the end card" {...seconds('end_card_delay')} />
        <Choice
          label="Position"
          description="On the screen"
          data={positions}
          value={overlay.position}
          onChange={(position) => position && onChange({ ...overlay, position })}
        />
      </SimpleGrid>
      <Switch
        label="People can close it"
        checked={overlay.dismissible}
        onChange={(event) => onChange({ ...overlay, dismissible: event.currentTarget.checked })}
      />
    </>
  );
}
