import {
  CONTRAST_MIN,
  HEX_COLOR,
  darkContrast,
  lightContrast,
  paletteOf,
  readableOnLight,
} from '@bidwell/contract/branding/color';
import { type Brand, BrandSettings, brandVersion } from '@bidwell/contract/branding/schema';
import { Button, ColorInput, Group, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { readAgain } from '../../lib/api/query-client.ts';
import { brandQuery, saveBrand } from '../../entities/operator/brand-queries.ts';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import classes from './brand.module.css';

/** The settings as the fields have them: '' is none, and each domain has a line. */
interface BrandValues extends Record<string, unknown> {
  name: string;
  accent: string;
  accent_dark: string;
  mail_sender_name: string;
  terms_url: string;
  privacy_url: string;
  domains: string;
}

const valuesOf = ({ settings }: Brand): BrandValues => ({
  name: settings.name,
  accent: settings.accent ?? '',
  accent_dark: settings.accent_dark ?? '',
  mail_sender_name: settings.mail_sender_name ?? '',
  terms_url: settings.terms_url ?? '',
  privacy_url: settings.privacy_url ?? '',
  domains: settings.domains.join('\n'),
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

const inputOf = ({ name, domains, ...values }: BrandValues) => ({
  name,
  accent: orNull(values.accent),
  accent_dark: orNull(values.accent_dark),
  mail_sender_name: orNull(values.mail_sender_name),
  terms_url: orNull(values.terms_url),
  privacy_url: orNull(values.privacy_url),
  domains: domains.split(/\s+/).filter(Boolean),
});

const validate = schemaResolver(BrandSettings, { sync: true });

/** The messages of single domains are shown at the field of all domains. */
function errorsOf(values: BrandValues) {
  const errors = validate(inputOf(values)) as Record<string, string>;
  const ofDomain = Object.entries(errors).find(([field]) => field.startsWith('domains.'));
  return ofDomain ? { ...errors, domains: ofDomain[1] } : errors;
}

/** Form of the name, the colours, the links and the domains. */
export function BrandForm({ brand, mayChange }: { brand: Brand; mayChange: boolean }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm<BrandValues, void, Brand>({
    initialValues: valuesOf(brand),
    entity: { saved: brand, valuesOf, version: brandVersion, reload: () => readAgain(brandQuery) },
    validate: errorsOf,
    send: (values, version) => saveBrand(BrandSettings.parse(inputOf(values)), version),
    done: 'Brand saved. Pages show it when they are loaded again.',
  });
  const color = {
    format: 'hex',
    withEyeDropper: false,
    disabled: !mayChange,
    // Below the field it would lie over the error about contrast and the preview.
    popoverProps: { position: 'top-start' },
  } as const;
  return (
    <Section title="Name, colours and links">
      <form onSubmit={submit} noValidate>
        <Stack maw={640}>
          {changedElsewhere}
          <TextInput
            label="Name"
            description="Shown in page titles, in mails and in authenticator apps."
            withAsterisk
            disabled={!mayChange}
            {...form.getInputProps('name')}
          />
          <Group grow align="start">
            <ColorInput
              label="Colour"
              description="For buttons, and for links on light. Leave empty for blue."
              {...color}
              {...form.getInputProps('accent')}
            />
            <ColorInput
              label="Colour on dark"
              description="For links on dark. Leave empty for a lighter shade."
              {...color}
              {...form.getInputProps('accent_dark')}
            />
          </Group>
          <ColorPreview accent={form.values.accent} accentDark={form.values.accent_dark} />
          <TextInput
            label="Sender of mails"
            description={
              brand.mail_address === null
                ? 'The server sends no mail.'
                : `The name next to ${brand.mail_address}. Leave empty for the name in MAIL_FROM, or the name above if it has none.`
            }
            disabled={!mayChange}
            {...form.getInputProps('mail_sender_name')}
          />
          <TextInput
            label="Terms"
            description="URL of the page; linked at the login, in the menu and in mails."
            disabled={!mayChange}
            {...form.getInputProps('terms_url')}
          />
          <TextInput
            label="Privacy policy"
            description="URL of the page."
            disabled={!mayChange}
            {...form.getInputProps('privacy_url')}
          />
          <Textarea
            label="Domains"
            description="Host names at which a proxy serves this console too, one per line. Links in mails use the first."
            autosize
            minRows={2}
            maxRows={6}
            disabled={!mayChange}
            {...form.getInputProps('domains')}
          />
          {mayChange ? (
            <Group>
              <Button type="submit" loading={busy}>
                Save brand
              </Button>
            </Group>
          ) : (
            <Muted>Only admins can change the brand.</Muted>
          )}
        </Stack>
      </form>
    </Section>
  );
}

/** A button and a link in the colours of both schemes, with their contrast; nothing while the colour is incomplete. */
function ColorPreview({ accent, accentDark }: { accent: string; accentDark: string }) {
  if (!HEX_COLOR.test(accent)) return null;
  const dark = HEX_COLOR.test(accentDark) ? accentDark : null;
  // As they would be used: what cannot be read is refused, with a colour that can.
  const base = lightContrast(accent) < CONTRAST_MIN ? readableOnLight(accent) : accent;
  const shades = paletteOf({ accent: base, accent_dark: dark });
  const schemes = [
    {
      name: 'Light',
      box: classes['light'],
      button: accent,
      link: accent,
      contrast: lightContrast(accent),
    },
    {
      name: 'Dark',
      box: classes['dark'],
      button: shades[6],
      link: shades[4],
      contrast: darkContrast(shades[4]!, base),
    },
  ];
  return (
    <Group aria-label="Preview of the colours" role="group" align="stretch">
      {schemes.map(({ name, box, button, link, contrast }) => (
        <div key={name} className={box}>
          <Group gap="sm">
            <span className={classes['button']} style={{ background: button }}>
              Button
            </span>
            <span style={{ color: link, textDecoration: 'underline' }}>Link</span>
          </Group>
          <Text size="xs" mt="xs">
            {name}: contrast {(Math.floor(contrast * 10) / 10).toFixed(1)}:1
          </Text>
        </div>
      ))}
    </Group>
  );
}
