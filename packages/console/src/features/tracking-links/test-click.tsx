import { fillTrackingMacros } from '@bidwell/contract/tracking-links/macros';
import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { parseLink } from './parsed-link.ts';
import { CopyableValue } from '../../ui/layout/copyable-value.tsx';
import { type CheckedApp, RedirectCheck } from './redirect-check.tsx';
import { sampleValues } from '@bidwell/contract/tracking-links/sample-values';

interface TestClickProps {
  clickUrl: string;
  viewUrl: string;
  /** The advertised app; undefined while none is chosen. */
  app: CheckedApp | undefined;
}

/** Shows the URLs with sample values in place of macros, checks what both lead to, and opens the click URL. */
export function TestClick({ clickUrl, viewUrl, app }: TestClickProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <SecondaryButton
        disabled={parseLink(clickUrl) === null}
        onClick={open}
        leftSection={<IconExternalLink size={15} />}
      >
        Test click
      </SecondaryButton>
      <Modal opened={opened} onClose={close} title="Test click" size="lg">
        {opened && <FilledUrls clickUrl={clickUrl} viewUrl={viewUrl} app={app} />}
      </Modal>
    </>
  );
}

function FilledUrls({ clickUrl, viewUrl, app }: TestClickProps) {
  const [values] = useState(() => sampleValues({ os: app?.os ?? 'android' }, Math.floor(Date.now() / 1000)));
  const click = fillTrackingMacros(clickUrl, values).trim();
  const view = fillTrackingMacros(viewUrl, values).trim();
  return (
    <Stack>
      <Text size="sm">
        With sample values in place of the macros. The measurement partner may record the click; its click id
        is <Code>{values.click_id}</Code>, which no install is counted for.
      </Text>
      <CopyableValue label="Click URL" value={click} copyLabel="Copy the Click URL" />
      {view !== '' && <CopyableValue label="View URL" value={view} copyLabel="Copy the View URL" />}
      {app && parseLink(click) && <RedirectCheck app={app} field="click_url" url={clickUrl.trim()} />}
      {app && parseLink(view) && <RedirectCheck app={app} field="view_url" url={viewUrl.trim()} />}
      <Group justify="flex-end">
        {parseLink(click) && (
          <Button
            component="a"
            href={click}
            target="_blank"
            rel="noopener noreferrer"
            leftSection={<IconExternalLink size={15} />}
            data-autofocus
          >
            Open in a new tab
          </Button>
        )}
      </Group>
    </Stack>
  );
}
