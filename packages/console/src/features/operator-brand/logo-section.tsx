import type { Brand } from '@bidwell/contract/branding/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { brandMessages } from '@bidwell/contract/text/brand-messages';
import { FileButton, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { saveLogo } from '../../entities/operator/brand-queries.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { ErrorText } from '../../ui/form/error-text.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import classes from './brand.module.css';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const HEIGHT_PX = 40;

/** The logo on the backgrounds of both schemes, and the way to replace it. */
export function LogoSection({ brand, mayChange }: { brand: Brand; mayChange: boolean }) {
  const { logo, settings } = brand;
  const [error, setError] = useState<string>();
  const upload = useSave({
    send: (file: File) => saveLogo(brand, file),
    done: 'Logo saved',
    onFailure: (failure) => setError(failure instanceof ApiError ? failure.fields['image'] : undefined),
  });
  const removal = useSave({ send: () => saveLogo(brand, null), done: 'Logo removed' });
  const choose = (file: File) => {
    const isType = TYPES.includes(file.type);
    const isSmall = file.size <= limits.logoBytesMax;
    setError(isType ? (isSmall ? undefined : brandMessages.logoTooLarge) : brandMessages.logoType);
    if (isType && isSmall) upload.save(file);
  };
  const { url = '/logo.svg', width = 1, height = 1 } = logo ?? {};
  return (
    <Section title="Logo">
      <Stack gap="sm">
        <Group>
          {(['light', 'dark'] as const).map((scheme) => (
            <div key={scheme} className={classes[scheme]}>
              <img
                src={url}
                alt={`Logo of ${settings.name} on ${scheme}`}
                height={HEIGHT_PX}
                width={Math.round((width / height) * HEIGHT_PX)}
              />
            </div>
          ))}
        </Group>
        <Caption>
          PNG, JPEG or WebP, at most {limits.logoBytesMax / 1024} kB, best with a transparent background. A
          logo that is more than twice as wide as high is shown without the name next to it.
        </Caption>
        {error !== undefined && <ErrorText size="sm">{error}</ErrorText>}
        {mayChange && (
          <Group>
            <FileButton onChange={(file) => file && choose(file)} accept={TYPES.join(',')}>
              {(props) => (
                <SecondaryButton {...props} loading={upload.busy}>
                  {logo ? 'Replace logo' : 'Choose a logo'}
                </SecondaryButton>
              )}
            </FileButton>
            {logo && (
              <SecondaryButton loading={removal.busy} onClick={() => removal.save()}>
                Remove logo
              </SecondaryButton>
            )}
          </Group>
        )}
      </Stack>
    </Section>
  );
}
