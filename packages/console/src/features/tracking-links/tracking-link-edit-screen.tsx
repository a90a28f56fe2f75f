import { limits } from '@bidwell/contract/limits';
import type { TrackingLink } from '@bidwell/contract/tracking-link';
import { TrackingLinkInput } from '@bidwell/contract/tracking-link';
import { TRACKING_MACROS } from '@bidwell/contract/tracking-macros';
import { Alert, Button, Group, Paper, Select, Stack, Text, Textarea, Tooltip } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { appsQuery } from '../../lib/queries/apps.ts';
import {
  createTrackingLink,
  trackingLinkQuery,
  updateTrackingLink,
} from '../../lib/queries/tracking-links.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { NotFoundScreen } from '../../ui/error-screens.tsx';
import { CountedInput, CountedTextarea, focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { linkTemplate } from './link-templates.ts';

/** /tracking-links/edit: with `uuid` edits a link, without it makes one. */
export function TrackingLinkEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: link, isError } = useQuery({ ...trackingLinkQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <LinkForm />;
  if (isError) return <NotFoundScreen />;
  return link ? <LinkForm key={link.uuid} link={link} /> : <PageLoader />;
}

type UrlField = 'click_url' | 'view_url';

function LinkForm({ link }: { link?: TrackingLink }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const { data: apps = [] } = useQuery(appsQuery);
  const form = useForm<TrackingLinkInput>({
    initialValues: {
      app_id: link?.app_id ?? '',
      name: link?.name ?? '',
      description: link?.description ?? '',
      click_url: link?.click_url ?? '',
      view_url: link?.view_url ?? '',
    },
    validate: schemaResolver(TrackingLinkInput, { sync: true }),
  });
  const app = apps.find(({ uuid }) => uuid === form.values.app_id);
  const last = useRef<{ field: UrlField; at: number }>({ field: 'click_url', at: limits.urlMax });
  const insert = (macro: string) => {
    const { field, at } = last.current;
    const text = form.values[field];
    form.setFieldValue(field, `${text.slice(0, at)}{${macro}}${text.slice(at)}`);
    last.current = { field, at: at + macro.length + 2 };
  };
  const urlProps = (field: UrlField) => ({
    ...form.getInputProps(field),
    autosize: true,
    minRows: 2,
    maxRows: 8,
    withAsterisk: true,
    onSelect: ({ currentTarget }: React.SyntheticEvent<HTMLTextAreaElement>) => {
      last.current = { field, at: currentTarget.selectionEnd };
    },
  });

  const save = async (values: TrackingLinkInput) => {
    setBusy(true);
    try {
      const input = TrackingLinkInput.parse(values);
      await (link ? updateTrackingLink(link.uuid, input) : createTrackingLink(input));
      toastSuccess('Tracking link saved');
      await navigate({ to: '/assets', search: { tab: 'tracking-links' } });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error, 'Please try again');
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <PageHeader
        title={link ? link.name : 'New tracking link'}
        description="Where a click goes, and what is loaded when the ad is seen."
      />
      <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
        <Paper withBorder p="md" maw={860}>
          <Stack>
            <Select
              label="App"
              withAsterisk
              searchable
              data={apps.map(({ uuid, name }) => ({ value: uuid, label: name }))}
              {...form.getInputProps('app_id')}
            />
            <CountedInput
              label="Title"
              withAsterisk
              maxLength={limits.titleMax}
              {...form.getInputProps('name')}
              value={undefined}
            />
            <CountedTextarea
              label="Description"
              maxLength={limits.descriptionMax}
              {...form.getInputProps('description')}
              value={undefined}
            />
            {app && (
              <Group>
                <Button
                  variant="light"
                  size="compact-sm"
                  onClick={() => form.setValues(linkTemplate(app.mobile_measurement_partner, app))}
                >
                  Use template
                </Button>
                <Text size="xs" c="dimmed">
                  Fills both addresses for the app’s measurement partner; replace what is in capitals.
                </Text>
              </Group>
            )}
            <Textarea label="Click URL" {...urlProps('click_url')} />
            {form.values.click_url !== '' && !form.values.click_url.includes('{click_id}') && (
              <Alert color="yellow" variant="light" title="{click_id} is missing">
                Without it the measurement partner cannot tell which click brought an install, and none will
                be counted.
              </Alert>
            )}
            <Textarea label="View URL" {...urlProps('view_url')} />
            <Stack gap={4}>
              <Text size="sm" fw={500}>
                Macros
              </Text>
              <Group gap={6}>
                {Object.entries(TRACKING_MACROS).map(([macro, meaning]) => (
                  <Tooltip key={macro} label={meaning} multiline maw={300}>
                    <Button
                      variant="default"
                      size="compact-xs"
                      ff="monospace"
                      onClick={() => insert(macro)}
                      aria-label={`Insert ${macro}`}
                    >
                      {`{${macro}}`}
                    </Button>
                  </Tooltip>
                ))}
              </Group>
            </Stack>
            <Group justify="flex-end">
              <ButtonLink to="/assets" search={{ tab: 'tracking-links' }} variant="default">
                Cancel
              </ButtonLink>
              <Button type="submit" loading={busy}>
                Save tracking link
              </Button>
            </Group>
          </Stack>
        </Paper>
      </form>
    </>
  );
}
