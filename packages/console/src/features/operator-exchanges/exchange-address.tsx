import type { ExchangeList, Ssp } from '@bidwell/contract/operator/schema';
import { Alert, Code, CopyButton, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { formatMoment } from '../../lib/format/format.ts';
import { rotateSecret } from '../../entities/exchanges/queries.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton, SmallButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';

/** Where exchanges reach the server. */
export type ServerAddress = Pick<ExchangeList, 'public_url' | 'public_url_is_set'>;

interface ExchangeAddressProps {
  exchange: Ssp;
  server: ServerAddress;
}

/** The address to hand over to an exchange, and its secret. For admins. */
export function ExchangeAddress({ exchange, server }: ExchangeAddressProps) {
  const { slug, name, path, previous_secret_until: until, open } = exchange;
  const { public_url: publicUrl, public_url_is_set: isSet } = server;
  const address = `${publicUrl.replace(/\/$/, '')}${path}`;
  const { save: rotate } = useSave({
    send: (endOld: boolean) => rotateSecret(slug, endOld),
    done: (_saved, endOld) =>
      endOld ? 'The old address has ended' : 'Hand over the new address within a day',
  });
  return (
    <FormSection title="Address to hand over">
      <Muted>
        {name} sends its bid requests here, by POST as OpenRTB 2.5 or 2.6. The last part is its secret: anyone
        who has it can fetch bids in its name.
      </Muted>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code p="xs" style={{ flex: 1, overflowWrap: 'anywhere' }}>
          {address}
        </Code>
        <CopyButton value={address}>
          {({ copied, copy }) => (
            <SecondaryButton
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            >
              {copied ? 'Copied' : 'Copy'}
            </SecondaryButton>
          )}
        </CopyButton>
      </Group>
      {!isSet && (
        <Alert color="yellow" title="PUBLIC_URL is not set">
          Exchanges cannot reach this address. Set PUBLIC_URL to the server’s own, such as
          https://ads.example.com, before you hand it over.
        </Alert>
      )}
      {isSet && !publicUrl.startsWith('https:') && (
        <Alert color="yellow" title="PUBLIC_URL is not https">
          Most bid requests require secure markup, and get no bid from a server on http.
        </Alert>
      )}
      {open && (
        <Alert color="yellow" title="Open to anyone">
          Requests without the secret are accepted too. Anyone can fetch bids in the name of this exchange.
        </Alert>
      )}
      {until && (
        <Group gap="xs">
          <Text size="sm">The previous address is accepted until {formatMoment(until)}.</Text>
          <SmallButton
            onClick={() =>
              confirmDestroy({
                title: 'End the old address now?',
                text: `Requests of ${name} to the old address are refused at once, and the address above changes once more.`,
                action: 'End it',
                onConfirm: () => rotate(true),
              })
            }
          >
            End it now
          </SmallButton>
        </Group>
      )}
      <Group>
        <SecondaryButton
          onClick={() =>
            modals.openConfirmModal({
              title: 'Make a new secret?',
              children: (
                <Text size="sm">
                  {name} gets a new address. The present one is accepted for one more day, so that nothing is
                  lost until {name} has switched.
                </Text>
              ),
              labels: { confirm: 'Make a new secret', cancel: 'Cancel' },
              onConfirm: () => rotate(false),
            })
          }
        >
          Rotate secret
        </SecondaryButton>
      </Group>
    </FormSection>
  );
}
