import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import type { TrackingLink } from '@bidwell/contract/tracking-link';
import { TrackingLinkInput } from '@bidwell/contract/tracking-link';
import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { z } from 'zod';
import { currentOnly } from '../../lib/current-only.ts';
import { appsQuery } from '../../lib/queries/apps.ts';
import { postbacksQuery } from '../../lib/queries/postbacks.ts';
import { createTrackingLink, updateTrackingLink } from '../../lib/queries/tracking-links.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { useFormDraft } from '../../ui/form-draft.tsx';
import { CountedInput, CountedTextarea, focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useIsHere } from '../../ui/use-is-here.ts';
import { checkLinks } from './check-link.ts';
import type { UrlField as UrlName } from './findings.ts';
import { linkTemplate } from './link-templates.ts';
import { MacroButtons } from './macro-buttons.tsx';
import { mmpRules } from './mmp-rules.ts';
import { PostbackAddresses } from './postback-addresses.tsx';
import { TestClick } from './test-click.tsx';
import { UrlField } from './url-field.tsx';

/** The values of the form. Also the schema of its draft. */
const Values = z.object({
  app_id: z.string(),
  name: z.string(),
  description: z.string(),
  click_url: z.string(),
  view_url: z.string(),
});
type Values = z.infer<typeof Values>;

const urlLabels: Record<UrlName, string> = { click_url: 'Click URL', view_url: 'View URL' };

/** Form of a tracking link, new or existing. */
export function TrackingLinkForm({ link }: { link?: TrackingLink }) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [busy, setBusy] = useState(false);
  const { data: apps = [] } = useQuery(appsQuery);
  const { data: postbacks } = useQuery(postbacksQuery);
  const form = useForm<Values>({
    initialValues: {
      app_id: link?.app_id ?? '',
      name: link?.name ?? '',
      description: link?.description ?? '',
      click_url: link?.click_url ?? '',
      view_url: link?.view_url ?? '',
    },
    validate: schemaResolver(TrackingLinkInput, { sync: true }),
  });
  const { values } = form;
  const draft = useFormDraft(form, `tracking-link.${link?.uuid ?? 'new'}`, Values, busy);
  const app =
    apps.find(({ uuid }) => uuid === values.app_id) ??
    (link?.app_id === values.app_id ? link.app : undefined);
  const partner = app && mmpRules[app.mobile_measurement_partner].name;
  const findings = checkLinks(values, app, postbacks?.secret);

  const cursor = useRef<number>(limits.urlMax);
  const [lastUrl, setLastUrl] = useState<UrlName>('click_url');
  const insert = (macro: string) => {
    const text = values[lastUrl];
    const at = Math.min(cursor.current, text.length);
    const after = at + macro.length + 2;
    form.setFieldValue(lastUrl, `${text.slice(0, at)}{${macro}}${text.slice(at)}`);
    cursor.current = after;
    requestAnimationFrame(() => {
      const field = form.getInputNode(lastUrl);
      if (!(field instanceof HTMLTextAreaElement)) return;
      field.focus();
      field.setSelectionRange(after, after);
    });
  };
  // The URLs that the template replaced, for undo.
  const [replaced, setReplaced] = useState<Pick<Values, UrlName>>();
  const fillTemplate = () => {
    if (!app) return;
    const { click_url, view_url } = values;
    setReplaced(click_url || view_url ? { click_url, view_url } : undefined);
    form.setValues(linkTemplate(app, window.location.origin));
  };
  const undoTemplate = () => {
    if (replaced) form.setValues(replaced);
    setReplaced(undefined);
  };
  const url = (name: UrlName) => ({
    ...form.getInputProps(name),
    label: urlLabels[name],
    findings: form.errors[name] ? [] : findings[name],
    fine:
      partner && values[name].trim() !== '' && !form.errors[name]
        ? `Nothing is missing for ${partner}.`
        : undefined,
    onSelect: ({ currentTarget }: React.SyntheticEvent<HTMLTextAreaElement>) => {
      setLastUrl(name);
      cursor.current = currentTarget.selectionEnd;
    },
  });

  const save = async (filled: Values) => {
    setBusy(true);
    try {
      const input = TrackingLinkInput.parse(filled);
      await (link ? updateTrackingLink(link.uuid, input) : createTrackingLink(input));
      draft.flush();
      toastSuccess('Tracking link saved');
      if (isHere()) await navigate({ to: '/assets', search: { tab: 'tracking-links' }, ignoreBlocker: true });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error, messages.tryAgainTrackingLink);
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
      <form onSubmit={form.onSubmit((filled) => void save(filled), focusFirstError(form))} noValidate>
        <Stack maw={860}>
          {draft.notice}
          <Paper withBorder p="md" component="section">
            <Stack>
              <Select
                label="App"
                withAsterisk
                searchable
                placeholder="Choose the app to advertise"
                nothingFoundMessage="No app of that name"
                description={partner && `Measured by ${partner}`}
                data={currentOnly(apps, values.app_id).map(({ uuid, name }) => ({
                  value: uuid,
                  label: name,
                }))}
                {...form.getInputProps('app_id')}
                onChange={(uuid) => form.setFieldValue('app_id', uuid ?? '')}
              />
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
            </Stack>
          </Paper>
          <Paper withBorder p="md" component="section">
            <Stack>
              <Group justify="space-between" gap="xs">
                <Text component="h2" fw={600} m={0}>
                  Addresses
                </Text>
                <Group gap="xs">
                  <TestClick
                    clickUrl={values.click_url}
                    viewUrl={values.view_url}
                    os={app?.os ?? 'android'}
                  />
                  {replaced && (
                    <Button variant="subtle" color="gray" onClick={undoTemplate}>
                      Undo the template
                    </Button>
                  )}
                  <Button variant="light" disabled={!app} onClick={fillTemplate}>
                    {partner ? `Use the template of ${partner}` : 'Use template'}
                  </Button>
                </Group>
              </Group>
              <Text size="xs" c="dimmed">
                {partner
                  ? 'The template fills both addresses; replace what stands in capitals by your own.'
                  : 'Choose an app: its measurement partner decides what the addresses must hold.'}
              </Text>
              <UrlField {...url('click_url')} />
              <UrlField {...url('view_url')} />
              <MacroButtons into={urlLabels[lastUrl]} onInsert={insert} />
            </Stack>
          </Paper>
          {app && postbacks && (
            <PostbackAddresses mmp={app.mobile_measurement_partner} postbacks={postbacks} />
          )}
          <Group justify="flex-end">
            <ButtonLink to="/assets" search={{ tab: 'tracking-links' }} variant="default">
              Cancel
            </ButtonLink>
            <Button type="submit" loading={busy}>
              Save tracking link
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
