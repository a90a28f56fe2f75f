import { type SsoDomain, SsoDomainInput } from '@bidwell/contract/accounts/single-sign-on';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { addSsoDomain, removeSsoDomain, verifySsoDomain } from '../../../entities/accounts/sso-queries.ts';
import { formatDay } from '../../../lib/format/format.ts';
import { confirmDestroy } from '../../../ui/form/confirm.tsx';
import { useSavedForm } from '../../../ui/form/saved-form.ts';
import { useSave } from '../../../ui/form/use-save.ts';
import { QuietButton, SecondaryButton, SmallButton } from '../../../ui/layout/buttons.tsx';
import { CopyText } from '../../../ui/layout/copy-text.tsx';
import { Caption, LongText } from '../../../ui/layout/text.tsx';

/** The mail domains of the company, and how to prove them. */
export function SsoDomains({ domains }: { domains: readonly SsoDomain[] }) {
  return (
    <Stack component="section" aria-label="Mail domains" gap="sm">
      <div>
        <Text size="sm" fw={500}>
          Mail domains
        </Text>
        <Caption>
          People with addresses in these domains sign in at your provider. A DNS TXT record proves that a
          domain is yours.
        </Caption>
      </div>
      {domains.map((domain) => (
        <Domain key={domain.uuid} domain={domain} />
      ))}
      <AddDomain key={domains.length} />
    </Stack>
  );
}

function AddDomain() {
  const { form, busy, submit } = useSavedForm({
    initialValues: { domain: '' },
    schema: SsoDomainInput,
    send: ({ domain }) => addSsoDomain(domain),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Group align="start" wrap="nowrap">
        <TextInput
          aria-label="Mail domain"
          placeholder="example.com"
          flex={1}
          {...form.getInputProps('domain')}
        />
        <SecondaryButton type="submit" loading={busy}>
          Add domain
        </SecondaryButton>
      </Group>
    </form>
  );
}

function Domain({ domain: { uuid, domain, txt_record, verified_at } }: { domain: SsoDomain }) {
  const { save: verify, busy } = useSave({
    send: () => verifySsoDomain(uuid),
    done: screenMessages.ssoDomainProven(domain),
  });
  const { save: remove } = useSave({
    send: () => removeSsoDomain(uuid),
    done: screenMessages.ssoDomainRemoved(domain),
  });
  const confirmRemoval = () =>
    confirmDestroy({
      title: `Remove ${domain}?`,
      text: 'Its addresses no longer lead to your provider, and another company can prove the domain.',
      action: 'Remove',
      onConfirm: () => remove(),
    });
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <LongText>{domain}</LongText>
          <Caption>{verified_at ? `Proven on ${formatDay(verified_at)}` : 'Not proven yet'}</Caption>
        </div>
        <Group gap="xs" wrap="nowrap">
          {!verified_at && (
            <SmallButton
              loading={busy}
              onClick={() => verify()}
              aria-label={`Check the DNS record of ${domain}`}
            >
              Check
            </SmallButton>
          )}
          <QuietButton
            onClick={() => (verified_at ? confirmRemoval() : remove())}
            aria-label={`Remove ${domain}`}
          >
            Remove
          </QuietButton>
        </Group>
      </Group>
      {!verified_at && <CopyText value={txt_record} label="DNS TXT record" full />}
    </div>
  );
}
