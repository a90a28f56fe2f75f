import type { App } from '@bidwell/contract/app';
import { AppInput } from '@bidwell/contract/app';
import { limits } from '@bidwell/contract/limits';
import { Button, Group, NumberInput, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { parseStoreLink } from '@bidwell/contract/store-link';
import { appQuery, createApp, parseLink, updateApp } from '../../lib/queries/apps.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { NotFoundScreen } from '../../ui/error-screens.tsx';
import { CountedInput, CountedTextarea, focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { iabCategoriesQuery } from '../../lib/queries/reference.ts';
import { groupCategories } from './categories.ts';
import { filledIn, missingHint } from './store-link-values.ts';

/** /add-app */
export function AddAppScreen() {
  return <AppForm />;
}

/** /edit-app?uuid= */
export function EditAppScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: app, isError } = useQuery({ ...appQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid || isError) return <NotFoundScreen />;
  return app ? <AppForm key={app.uuid} app={app} /> : <PageLoader />;
}

type Values = Record<keyof AppInput, string | number | null>;

const empty: Values = {
  store_link: '',
  os: null,
  name: '',
  description: '',
  bundle_id: '',
  iab_category: null,
  mobile_measurement_partner: null,
  rating: null,
  size_in_kb: null,
  icon_link: '',
};

function valuesOf(app: App): Values {
  return {
    ...Object.fromEntries(Object.keys(empty).map((name) => [name, app[name as keyof Values]])),
    icon_link: app.icon_link ?? '',
  } as Values;
}

function AppForm({ app }: { app?: App }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [hint, setHint] = useState<string>();
  const readLast = useRef(app?.store_link);
  const { data: categories = [] } = useQuery(iabCategoriesQuery);
  const form = useForm<Values>({
    initialValues: app ? valuesOf(app) : empty,
    validate: schemaResolver(AppInput, { sync: true }),
  });

  const readLink = async (text: string) => {
    const link = text.trim();
    if (link === '' || link === readLast.current) return;
    // What the link says by itself is there at once; the store may take seconds to answer, or never do.
    const own = parseStoreLink(link);
    const guessed = own && { bundle_id: own.bundleId, name: own.name };
    if (own) {
      readLast.current = own.canonical;
      const name = form.getValues().name === '' && own.name ? { name: own.name } : {};
      form.setValues({ store_link: own.canonical, os: own.os, bundle_id: own.bundleId, ...name });
      form.clearFieldError('store_link');
    }
    try {
      const parsed = await parseLink(link);
      const now = form.getValues();
      if (now.store_link !== parsed.store_link) return;
      form.setValues(filledIn(now, parsed, guessed));
      setHint(missingHint(parsed));
    } catch (error) {
      if (own) return;
      form.setFieldError('store_link', error instanceof Error ? error.message : 'This link cannot be read');
    }
  };

  const save = async (values: Values) => {
    setBusy(true);
    try {
      const input = AppInput.parse(values);
      await (app ? updateApp(app.uuid, input) : createApp(input));
      toastSuccess(app ? 'App saved' : 'App added. It is reviewed before it can be advertised.');
      await navigate({ to: '/assets', search: { tab: 'apps' } });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <PageHeader
        title={app ? app.name : 'Add app'}
        description={
          app
            ? 'A new title, link or bundle is reviewed again.'
            : 'Paste the store link first: it fills in what it says.'
        }
      />
      <Paper withBorder p="md" maw={720}>
        <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
          <Stack>
            <TextInput
              label="App store link"
              description={hint ?? 'App Store or Google Play'}
              placeholder="https://apps.apple.com/… or https://play.google.com/…"
              withAsterisk
              {...form.getInputProps('store_link')}
              onBlur={(event) => void readLink(event.currentTarget.value)}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Select
                label="Platform"
                withAsterisk
                data={[
                  { value: 'ios', label: 'iOS' },
                  { value: 'android', label: 'Android' },
                ]}
                {...form.getInputProps('os')}
              />
              <TextInput label="Bundle ID" withAsterisk {...form.getInputProps('bundle_id')} />
            </SimpleGrid>
            <CountedInput
              label="Title"
              withAsterisk
              maxLength={limits.titleMax}
              {...form.getInputProps('name')}
            />
            <CountedTextarea
              label="Description"
              maxLength={limits.descriptionMax}
              {...form.getInputProps('description')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Select
                label="Category"
                withAsterisk
                searchable
                data={groupCategories(categories)}
                nothingFoundMessage="No such category"
                {...form.getInputProps('iab_category')}
              />
              <Select
                label="Measurement partner"
                withAsterisk
                data={[
                  { value: 'appsflyer', label: 'AppsFlyer' },
                  { value: 'adjust', label: 'Adjust' },
                  { value: 'appmetrica', label: 'AppMetrica' },
                ]}
                {...form.getInputProps('mobile_measurement_partner')}
              />
              <NumberInput
                label="Rating"
                min={0}
                max={5}
                decimalScale={1}
                hideControls
                {...form.getInputProps('rating')}
                value={form.values.rating ?? ''}
                onChange={(value) => form.setFieldValue('rating', value === '' ? null : Number(value))}
              />
              <NumberInput
                label="Size, KB"
                min={0}
                allowDecimal={false}
                hideControls
                {...form.getInputProps('size_in_kb')}
                value={form.values.size_in_kb ?? ''}
                onChange={(value) => form.setFieldValue('size_in_kb', value === '' ? null : Number(value))}
              />
            </SimpleGrid>
            <TextInput label="Icon link" placeholder="https://…" {...form.getInputProps('icon_link')} />
            <Group justify="flex-end">
              <ButtonLink to="/assets" search={{ tab: 'apps' }} variant="default">
                Cancel
              </ButtonLink>
              <Button type="submit" loading={busy}>
                Save app
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </>
  );
}
