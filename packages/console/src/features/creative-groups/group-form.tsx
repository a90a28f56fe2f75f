import type { CreativeGroup } from '@bidwell/contract/creative-group';
import type { CreativeGroupInput } from '@bidwell/contract/creative-group';
import { limits } from '@bidwell/contract/limits';
import { Avatar, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createCreativeGroup, updateCreativeGroup } from '../../lib/queries/creative-groups.ts';
import { creativesQuery } from '../../lib/queries/creatives.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { useFormDraft } from '../../ui/form-draft.tsx';
import { CountedInput, CountedTextarea, focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { NativeCard } from '../../ui/native-card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PrivateImage } from '../../ui/private-image.tsx';
import { SizeCoveragePanel } from '../../ui/size-coverage-panel.tsx';
import { useIsHere } from '../../ui/use-is-here.ts';
import { CountsSummary } from './counts-summary.tsx';
import { CreativePicker } from './creative-picker.tsx';
import classes from './group-form.module.css';
import { GroupDraft, emptyGroup, groupErrors, groupValues, listOf } from './group-values.ts';

/** Form of a creative group, new or existing. */
export function GroupForm({ group }: { group?: CreativeGroup }) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [busy, setBusy] = useState(false);
  const { data: creatives } = useQuery(creativesQuery);
  const form = useForm<CreativeGroupInput>({
    initialValues: group ? groupValues(group) : emptyGroup,
    validate: groupErrors,
  });
  const draft = useFormDraft(form, `creative-group.${group?.uuid ?? 'new'}`, GroupDraft, busy);
  const chosenUuids = new Set(Object.values(listOf).flatMap((list) => form.values[list]));
  const chosen = (creatives ?? []).filter(({ uuid }) => chosenUuids.has(uuid));
  const native = chosen.find(({ internal_creative: asset }) => asset.type === 'Native');

  const save = async (values: CreativeGroupInput) => {
    setBusy(true);
    try {
      await (group ? updateCreativeGroup(group.uuid, values) : createCreativeGroup(values));
      draft.flush();
      toastSuccess('Creative group saved');
      if (isHere()) await navigate({ to: '/assets', search: { tab: 'creative-groups' } });
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
        title={group ? group.name : 'New creative group'}
        description="The creatives of a group are shown in turn by the ad sets that use it."
        actions={
          group &&
          group.status !== 'Moderation' && (
            <Button variant="default" onClick={() => void pauseOrResume(group)}>
              {group.status === 'Paused' ? 'Resume' : 'Pause'}
            </Button>
          )
        }
      />
      {draft.notice}
      <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
        <div className={classes['columns']}>
          <Stack>
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
              </Stack>
            </Paper>
            <CreativePicker
              creatives={creatives}
              chosen={chosenUuids}
              error={form.errors[listOf.Video]}
              onChange={(type, uuids) => {
                const field = listOf.Video;
                form.setFieldValue(listOf[type], uuids);
                form.setFieldError(field, groupErrors({ ...form.getValues(), [listOf[type]]: uuids })[field]);
              }}
            />
            <Paper withBorder p="md" component="section" aria-label="Native texts">
              <Text fw={600}>Native texts</Text>
              <Text size="xs" c="dimmed" mb="sm">
                Shown with the native images of this group.
              </Text>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <CountedInput
                  label="Headline/Title"
                  maxLength={limits.nativeTitleMax}
                  {...form.getInputProps('native_title')}
                />
                <CountedInput
                  label="Sponsored By"
                  maxLength={limits.nativeSponsorMax}
                  {...form.getInputProps('native_sponsor')}
                />
              </SimpleGrid>
              <CountedTextarea
                mt="md"
                label="Native description"
                maxLength={limits.nativeDescriptionMax}
                {...form.getInputProps('native_description')}
              />
            </Paper>
            <Group justify="flex-end">
              <ButtonLink to="/assets" search={{ tab: 'creative-groups' }} variant="default">
                Cancel
              </ButtonLink>
              <Button type="submit" loading={busy}>
                Save creative group
              </Button>
            </Group>
          </Stack>
          <Stack className={classes['side']}>
            <Paper withBorder p="md" component="section" aria-label="Summary">
              <Text fw={600} mb={4}>
                In this group
              </Text>
              <CountsSummary group={form.values} />
            </Paper>
            <SizeCoveragePanel
              types={['Banner', 'Native', 'Video']}
              creatives={chosen.map(({ internal_creative: asset }) => asset)}
              of="Of the chosen creatives"
            />
            {native && (
              <NativeCard
                image={
                  <PrivateImage url={native.internal_creative.banner?.url} alt="" width={320} height={170} />
                }
                icon={
                  <Avatar
                    src={native.app.icon_link}
                    name={native.app.name}
                    color="initials"
                    radius="md"
                    size={40}
                    alt=""
                  />
                }
                title={form.values.native_title || native.internal_creative.title}
                description={form.values.native_description || native.internal_creative.description}
                sponsor={form.values.native_sponsor || native.internal_creative.sponsor}
              />
            )}
          </Stack>
        </div>
      </form>
    </>
  );
}

/** Pauses or resumes the group without saving the form. */
async function pauseOrResume({ uuid, status }: CreativeGroup): Promise<void> {
  const paused = status === 'Paused';
  try {
    await updateCreativeGroup(uuid, { status: paused ? 'Active' : 'Paused' });
    toastSuccess(paused ? 'Creative group resumed' : 'Creative group paused');
  } catch (error) {
    toastError(error);
  }
}
