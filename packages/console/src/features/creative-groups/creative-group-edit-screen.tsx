import type { Creative, CreativeType } from '@bidwell/contract/creative';
import type { CreativeGroup } from '@bidwell/contract/creative-group';
import { CreativeGroupInput } from '@bidwell/contract/creative-group';
import { limits } from '@bidwell/contract/limits';
import { Button, Card, Checkbox, Group, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  createCreativeGroup,
  creativeGroupQuery,
  updateCreativeGroup,
} from '../../lib/queries/creative-groups.ts';
import { creativesQuery } from '../../lib/queries/creatives.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFoundScreen } from '../../ui/error-screens.tsx';
import { CountedInput, CountedTextarea, focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { PrivateImage } from '../../ui/private-image.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const listOf = {
  Banner: 'banner_creatives',
  Video: 'video_creatives',
  Native: 'native_creatives',
  Playable: 'playable_creatives',
} as const satisfies Record<CreativeType, string>;

/** /creative-groups/edit: with `uuid` edits a group, without it makes one. */
export function CreativeGroupEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: group, isError } = useQuery({ ...creativeGroupQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <GroupForm />;
  if (isError) return <NotFoundScreen />;
  return group ? <GroupForm key={group.uuid} group={group} /> : <PageLoader />;
}

const empty: CreativeGroupInput = {
  name: '',
  description: '',
  banner_creatives: [],
  video_creatives: [],
  native_creatives: [],
  playable_creatives: [],
  native_title: '',
  native_description: '',
  native_sponsor: '',
};

function valuesOf(group: CreativeGroup): CreativeGroupInput {
  const ids = (creatives: Creative[]) => creatives.map(({ uuid }) => uuid);
  const { name, description, native_title, native_description, native_sponsor } = group;
  return {
    name,
    description,
    native_title,
    native_description,
    native_sponsor,
    banner_creatives: ids(group.banner_creatives),
    video_creatives: ids(group.video_creatives),
    native_creatives: ids(group.native_creatives),
    playable_creatives: ids(group.playable_creatives),
  };
}

function GroupForm({ group }: { group?: CreativeGroup }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const form = useForm<CreativeGroupInput>({
    initialValues: group ? valuesOf(group) : empty,
    validate: schemaResolver(CreativeGroupInput, { sync: true }),
  });

  const finish = async (work: Promise<unknown>, message: string) => {
    setBusy(true);
    try {
      await work;
      toastSuccess(message);
      await navigate({ to: '/assets', search: { tab: 'creative-groups' } });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  const save = (values: CreativeGroupInput) =>
    finish(
      group ? updateCreativeGroup(group.uuid, values) : createCreativeGroup(values),
      'Creative group saved',
    );
  const paused = group?.status === 'Paused';
  const toggle = (creative: Creative) => {
    const list = listOf[creative.internal_creative.type];
    const chosen = form.values[list];
    form.setFieldValue(
      list,
      chosen.includes(creative.uuid)
        ? chosen.filter((uuid) => uuid !== creative.uuid)
        : [...chosen, creative.uuid],
    );
  };

  return (
    <>
      <PageHeader
        title={group ? group.name : 'New creative group'}
        description="The creatives of a group are shown in turn by the ad sets that use it."
        actions={
          group &&
          group.status !== 'Moderation' && (
            <Button
              variant="default"
              onClick={() =>
                void finish(
                  updateCreativeGroup(group.uuid, { status: paused ? 'Active' : 'Paused' }),
                  paused ? 'Creative group resumed' : 'Creative group paused',
                )
              }
            >
              {paused ? 'Resume' : 'Pause'}
            </Button>
          )
        }
      />
      <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
        <Stack maw={960}>
          <Paper withBorder p="md">
            <Stack>
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
              {form.values.native_creatives.length > 0 && (
                <SimpleGrid cols={{ base: 1, xs: 3 }}>
                  <CountedInput
                    label="Native title"
                    maxLength={limits.nativeTitleMax}
                    {...form.getInputProps('native_title')}
                  />
                  <CountedInput
                    label="Native description"
                    maxLength={limits.nativeDescriptionMax}
                    {...form.getInputProps('native_description')}
                  />
                  <CountedInput
                    label="Sponsored by"
                    maxLength={limits.nativeSponsorMax}
                    {...form.getInputProps('native_sponsor')}
                  />
                </SimpleGrid>
              )}
            </Stack>
          </Paper>
          <CreativeChoice
            chosen={Object.values(listOf).flatMap((list) => form.values[list])}
            onToggle={toggle}
          />
          <Group justify="flex-end">
            <ButtonLink to="/assets" search={{ tab: 'creative-groups' }} variant="default">
              Cancel
            </ButtonLink>
            <Button type="submit" loading={busy}>
              Save creative group
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

function CreativeChoice({
  chosen,
  onToggle,
}: {
  chosen: readonly string[];
  onToggle: (creative: Creative) => void;
}) {
  const { data: creatives = [] } = useQuery(creativesQuery);
  const [appUuid, setAppUuid] = useState<string | null>(null);
  const apps = [
    ...new Map(creatives.map(({ app }) => [app.uuid, { value: app.uuid, label: app.name }])).values(),
  ];
  const shown = creatives.filter(
    (creative) => !appUuid || creative.app.uuid === appUuid || chosen.includes(creative.uuid),
  );
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm">
        <Text fw={600}>Creatives, {chosen.length} chosen</Text>
        {apps.length > 1 && (
          <Select
            aria-label="App of the creatives"
            placeholder="All apps"
            clearable
            data={apps}
            value={appUuid}
            onChange={setAppUuid}
          />
        )}
      </Group>
      {creatives.length === 0 && (
        <EmptyState
          title="There are no creatives yet"
          action={
            <ButtonLink to="/creatives/add-creative" variant="light">
              Add creative
            </ButtonLink>
          }
        />
      )}
      <SimpleGrid cols={{ base: 2, sm: 3, md: 4 }} spacing="sm">
        {shown.map((creative) => {
          const { name, type, width, height, banner } = creative.internal_creative;
          return (
            <Card key={creative.uuid} withBorder p="xs">
              <Card.Section p="xs">
                <PrivateImage url={banner?.url} alt="" width={180} height={90} />
              </Card.Section>
              <Checkbox
                label={name}
                description={width && height ? `${type}, ${width}×${height}` : type}
                checked={chosen.includes(creative.uuid)}
                onChange={() => onToggle(creative)}
                mb={6}
              />
              <StatusBadge status={creative.status} reason={creative.rejection_reason} />
            </Card>
          );
        })}
      </SimpleGrid>
    </Paper>
  );
}
