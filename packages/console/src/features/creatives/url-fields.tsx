import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Menu, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconLink, IconPlus } from '@tabler/icons-react';
import { type ComponentProps, useId } from 'react';
import { isKnown, mapped, useLoadable } from '../../lib/loadable.ts';
import { currentOnly } from '../../lib/current-only.ts';
import { appsQuery } from '../../entities/apps/queries.ts';
import { trackingLinksQuery } from '../../entities/tracking-links/queries.ts';
import { FailureNotice } from '../../ui/chart/figure-frame.tsx';
import { useDrawer } from '../../ui/form/drawer-requests.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';

type FieldProps = Pick<
  ComponentProps<typeof TextInput>,
  'value' | 'onChange' | 'error' | 'onBlur' | 'onFocus'
>;

interface UrlFieldsProps {
  /** The advertised app, whose tracking links are offered; empty for none. */
  appUuid: string;
  clickProps: FieldProps;
  viewProps: FieldProps;
  onFill: (urls: { click_url: string; view_url: string }) => void;
}

/**
 * The click and view URL of a creative, explaining which URLs ads use; a tracking link fills in both. An app without one is led
 * to its first.
 */
export function UrlFields({ appUuid, clickProps, viewProps, onFill }: UrlFieldsProps) {
  const ruleId = useId();
  const offered = mapped(useLoadable(trackingLinksQuery), (links) =>
    currentOnly(links).filter((link) => link.app.uuid === appUuid),
  );
  return (
    <>
      <Stack gap={6} role="group" aria-label="URLs" aria-describedby={ruleId}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <div data-field={ruleId}>
            <TextInput label="Click URL" withAsterisk placeholder="https://" {...clickProps} />
          </div>
          <TextInput label="View URL" withAsterisk placeholder="https://" {...viewProps} />
        </SimpleGrid>
        <Caption id={ruleId}>{creativeMessages.creativeUrls}</Caption>
      </Stack>
      {appUuid !== '' && <FailureNotice figures={offered} what="The tracking links" m={0} />}
      {appUuid !== '' && isKnown(offered) && offered.data.length === 0 && (
        <FirstLink appUuid={appUuid} field={ruleId} />
      )}
      {appUuid !== '' && offered.state === 'loading' && (
        <Group gap="xs">
          <SecondaryButton size="xs" loading>
            Fill in from a tracking link
          </SecondaryButton>
        </Group>
      )}
      {isKnown(offered) && offered.data.length > 0 && (
        <Group gap="xs">
          <Menu position="bottom-start" width={320}>
            <Menu.Target>
              <SecondaryButton size="xs" leftSection={<IconLink size={14} />}>
                Fill in from a tracking link
              </SecondaryButton>
            </Menu.Target>
            <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
              {offered.data.map(({ uuid, name, click_url, view_url }) => (
                <Menu.Item key={uuid} onClick={() => onFill({ click_url, view_url })}>
                  <Text size="sm">{name}</Text>
                  <Caption truncate>{click_url}</Caption>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
    </>
  );
}

/** Leads to the tracking link that the app lacks, whose URLs then fill in the fields. */
function FirstLink({ appUuid, field }: { appUuid: string; field: string }) {
  const open = useDrawer();
  // The drawer's form begins with the template of the app's partner.
  const apps = useLoadable(appsQuery);
  return (
    <Group gap="xs">
      <Text size="sm">{screenMessages.noTrackingLink}</Text>
      <SecondaryButton
        size="xs"
        leftSection={<IconPlus size={14} />}
        loading={apps.state === 'loading'}
        onClick={() => open({ kind: 'tracking-link', appUuid, field })}
      >
        New tracking link
      </SecondaryButton>
    </Group>
  );
}
