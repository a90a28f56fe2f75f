import {
  type CreativeGroup,
  type CreativeGroupInput,
  creativeGroupVersion,
} from '@bidwell/contract/creative-groups/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Paper, Stack, Text } from '@mantine/core';
import type { Creative } from '@bidwell/contract/creatives/schema';
import type { UseFormReturnType } from '@mantine/form';
import { NativeTexts } from '../../entities/creatives/native-texts.tsx';
import { type Loadable, knownData, mapped, useLoadable } from '../../lib/loadable.ts';
import {
  createCreativeGroup,
  creativeGroupQuery,
  updateCreativeGroup,
} from '../../entities/creative-groups/queries.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { creativesQuery } from '../../entities/creatives/queries.ts';
import { useEntityForm } from '../../ui/form/entity-form.ts';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { CountedTextarea } from '../../ui/form/form-fields.tsx';
import { FormHeader, type FormInDrawer, newDraftKey } from '../../ui/form/form-in-drawer.tsx';
import { TitleFields } from '../../ui/form/title-fields.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SizeCoveragePanel } from '../../entities/creatives/size-coverage-panel.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { WithSidePanel } from '../../ui/layout/with-side-panel.tsx';
import { CountsSummary } from './counts-summary.tsx';
import { creativeLists, mayRun } from '../../entities/creatives/creative-lists.ts';
import { CreativePicker } from './creative-picker.tsx';
import { GroupDraft, emptyGroup, groupErrors, groupValues } from './group-values.ts';
import { AppIcon } from '../../entities/apps/app-icon.tsx';
import { NativeCard } from '../../entities/creatives/native-card.tsx';
import { PrivateImage } from '../../entities/creatives/private-image.tsx';

interface GroupFormProps {
  group?: CreativeGroup;
  drawer?: FormInDrawer<CreativeGroup>;
}

/** Form of a creative group, new or existing. In a drawer it offers the creatives of the drawer's app. */
export function GroupForm({ group, drawer }: GroupFormProps) {
  const creatives = mapped(useLoadable(creativesQuery), (all) =>
    drawer?.appUuid ? all.filter(({ app }) => app.uuid === drawer.appUuid) : all,
  );
  const { form, busy, notice, submit } = useEntityForm<CreativeGroupInput, CreativeGroup>({
    draftKey: group ? `creative-group.${group.uuid}` : newDraftKey('creative-group', drawer),
    draftSchema: GroupDraft,
    initialValues: group ? groupValues(group) : emptyGroup,
    entity: group && {
      saved: group,
      valuesOf: groupValues,
      version: creativeGroupVersion,
      reload: () => readAgain(creativeGroupQuery(group.uuid)),
      nameOf: (_field, id) => knownData(creatives)?.find(({ uuid }) => uuid === id)?.internal_creative.name,
    },
    validate: groupErrors,
    save: async (values, version) => {
      const saved = await (group
        ? updateCreativeGroup(group.uuid, values, version)
        : createCreativeGroup(values));
      return { saved, message: consoleMessages.saved('Creative group') };
    },
    tab: 'creative-groups',
    drawer,
  });
  const chosenUuids = new Set(Object.values(creativeLists).flatMap((list) => form.values[list]));
  const chosen = mapped(creatives, (known) => known.filter(({ uuid }) => chosenUuids.has(uuid)));
  const native = knownData(chosen)?.find(({ internal_creative: asset }) => asset.type === 'Native');
  const side = (
    <>
      <Paper withBorder p="md" component="section" aria-label="Summary">
        <Text fw={600} mb={4}>
          In this group
        </Text>
        <CountsSummary group={form.values} />
      </Paper>
      <SizeCoveragePanel
        types={['Banner', 'Native', 'Video']}
        creatives={mapped(chosen, (known) =>
          known.filter(mayRun).map(({ internal_creative: asset }) => asset),
        )}
        of="Of the chosen creatives"
      />
      {native && <GroupNativePreview native={native} texts={form.values} />}
    </>
  );
  return (
    <>
      <FormHeader
        inDrawer={drawer !== undefined}
        title={group ? group.name : 'New creative group'}
        description="Ad sets rotate the creatives of the groups that they use."
        actions={group && <PauseButton group={group} />}
      />
      {notice}
      <form onSubmit={submit} noValidate>
        <WithSidePanel side={side} stacked={drawer !== undefined}>
          <Stack>
            <GroupFields form={form} creatives={creatives} chosen={chosenUuids} />
            <FormActions
              cancel={drawer?.onCancel ?? { to: '/assets', search: { tab: 'creative-groups' } }}
              action="Save creative group"
              busy={busy}
              permission="creative_group.write"
            />
          </Stack>
        </WithSidePanel>
      </form>
    </>
  );
}

/** Pauses or resumes the group without saving the form; nothing for a group that is in review or rejected. */
function PauseButton({ group: { uuid, status } }: { group: CreativeGroup }) {
  const paused = status === 'Paused';
  const { save: toggle } = useSave({
    send: () => updateCreativeGroup(uuid, { status: paused ? 'Active' : 'Paused' }),
    done: paused ? screenMessages.groupResumed : screenMessages.groupPaused,
  });
  if (status === 'Moderation' || status === 'Rejected') return null;
  return <SecondaryButton onClick={() => toggle()}>{paused ? 'Resume' : 'Pause'}</SecondaryButton>;
}

interface GroupNativePreviewProps {
  native: Creative;
  /** The native texts of the group; an empty one is replaced by the text of the creative. */
  texts: Pick<CreativeGroupInput, 'native_title' | 'native_description' | 'native_sponsor'>;
}

/** A native creative with the texts of its group. */
function GroupNativePreview({ native, texts }: GroupNativePreviewProps) {
  const { internal_creative: asset, app } = native;
  return (
    <NativeCard
      image={<PrivateImage url={asset.banner?.url} alt="" width={320} height={170} />}
      icon={<AppIcon app={app} size={40} />}
      title={texts.native_title || asset.title}
      description={texts.native_description || asset.description}
      sponsor={texts.native_sponsor || asset.sponsor}
    />
  );
}

interface GroupFieldsProps {
  form: UseFormReturnType<CreativeGroupInput>;
  /** All creatives of the company. */
  creatives: Loadable<readonly Creative[]>;
  /** Uuids of the group's creatives. */
  chosen: ReadonlySet<string>;
}

/** The fields of a creative group: title, creatives and native texts. */
function GroupFields({ form, creatives, chosen }: GroupFieldsProps) {
  return (
    <>
      <Paper withBorder p="md">
        <Stack>
          <TitleFields title={form.getInputProps('name')} description={form.getInputProps('description')} />
        </Stack>
      </Paper>
      <CreativePicker
        creatives={creatives}
        chosen={chosen}
        error={form.errors[creativeLists.Video]}
        onChange={(type, uuids) => {
          const field = creativeLists.Video;
          form.setFieldValue(creativeLists[type], uuids);
          form.setFieldError(
            field,
            groupErrors({ ...form.getValues(), [creativeLists[type]]: uuids })[field],
          );
        }}
      />
      <Paper withBorder p="md" component="section" aria-label="Native texts">
        <Text fw={600}>Native texts</Text>
        <Caption mb="sm">Shown with the native images of this group.</Caption>
        <NativeTexts
          title={form.getInputProps('native_title')}
          sponsor={form.getInputProps('native_sponsor')}
        />
        <CountedTextarea
          mt="md"
          label="Native description"
          maxLength={limits.nativeDescriptionMax}
          {...form.getInputProps('native_description')}
        />
      </Paper>
    </>
  );
}
