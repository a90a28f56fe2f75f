import { TRACKING_MACROS } from '@bidwell/contract/tracking-links/macros';
import { Button, Group, Stack, Text, Textarea, type TextareaProps, Tooltip } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { FormSection } from '../../ui/form/form-section.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { checkLinks } from './check-link.ts';
import { FindingNotes } from './finding-notes.tsx';
import type { Finding, UrlField as UrlName } from './findings.ts';
import { withDeepLink } from '@bidwell/contract/measurement/partners/deep-links';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import type { LinkedApp } from '../../entities/measurement/linked-app.ts';
import type { CheckedApp } from './redirect-check.tsx';
import { TestClick } from './test-click.tsx';
import type { TrackingLinkValues } from './tracking-link-values.ts';
import { useMacroInsertion } from './use-macro-insertion.ts';
import { hasPartnerPlaceholders, linkTemplate } from '../../entities/tracking-links/link-templates.ts';

const urlLabels: Record<UrlName, string> = { click_url: 'Click URL', view_url: 'View URL' };

interface LinkUrlsProps {
  form: UseFormReturnType<TrackingLinkValues>;
  /** The advertised app; undefined while none is chosen. */
  app: (LinkedApp & CheckedApp) | undefined;
  /** The company's postback secret, which no URL may contain. */
  secret: string | undefined;
}

/** The click and the view URL of a tracking link: template, macros, validation and a test click. */
export function LinkUrls({ form, app, secret }: LinkUrlsProps) {
  const { values } = form;
  const partner = app && partnerInText(app.mobile_measurement_partner);
  const findings = checkLinks(values, app, secret);
  const macros = useMacroInsertion(form);
  const template = useLinkTemplate(form, app);
  const urlProps = (name: UrlName) => {
    const isValid = values[name].trim() !== '' && !form.errors[name];
    return {
      ...form.getInputProps(name),
      label: urlLabels[name],
      findings: form.errors[name] ? [] : findings[name],
      validText: partner && isValid ? `Nothing is missing for ${partner}.` : undefined,
      onSelect: macros.onSelect(name),
    };
  };
  return (
    <FormSection>
      <Group justify="space-between" gap="xs">
        <Text component="h2" fw={600} m={0}>
          Tracking URLs
        </Text>
        <Group gap="xs">
          <TestClick clickUrl={values.click_url} viewUrl={values.view_url} app={app} />
          {template.undo && (
            <Button variant="subtle" color="gray" onClick={template.undo}>
              Undo the template
            </Button>
          )}
          {template.addDeepLink && (
            <Button variant="default" onClick={template.addDeepLink}>
              Add the deep link of re-engagement
            </Button>
          )}
          <Button variant="light" disabled={!app} onClick={template.fill}>
            {partner ? `Use the template of ${partner}` : 'Use template'}
          </Button>
        </Group>
      </Group>
      <Caption>
        {partner
          ? `The template fills in both URLs.${app && hasPartnerPlaceholders(app, values) ? ' Replace the words in capitals with your own values.' : ''}`
          : 'Choose an app: its measurement partner decides which parameters the URLs need.'}
      </Caption>
      <UrlField {...urlProps('click_url')} />
      <UrlField {...urlProps('view_url')} />
      <MacroButtons into={urlLabels[macros.field]} onInsert={macros.insert} />
    </FormSection>
  );
}

/**
 * Fills both URLs with the template of the app's measurement partner, adds the parameters of re-engagement to the click URL, and takes
 * either back.
 */
function useLinkTemplate(form: UseFormReturnType<TrackingLinkValues>, app: LinkedApp | undefined) {
  const [replaced, setReplaced] = useState<Pick<TrackingLinkValues, UrlName>>();
  const replace = (urls: Pick<TrackingLinkValues, UrlName>) => {
    const { click_url, view_url } = form.values;
    setReplaced(click_url || view_url ? { click_url, view_url } : undefined);
    form.setValues(urls);
  };
  const { click_url: clickUrl, view_url: viewUrl } = form.values;
  return {
    fill: () => app && replace(linkTemplate(app, window.location.origin)),
    /** Undefined where the click URL is empty or has a deep link. */
    addDeepLink:
      app && clickUrl.trim() !== '' && !clickUrl.includes('{deep_link}')
        ? () =>
            replace({
              click_url: withDeepLink(clickUrl.trim(), app.mobile_measurement_partner),
              view_url: viewUrl,
            })
        : undefined,
    /** Restores the URLs that the template replaced; undefined if it replaced none. */
    undo:
      replaced &&
      (() => {
        form.setValues(replaced);
        setReplaced(undefined);
      }),
  };
}

interface UrlFieldProps extends TextareaProps {
  label: string;
  findings: readonly Finding[];
  /** Shown when there are no findings; nothing without it. */
  validText?: string | undefined;
}

/** URL input with its findings below it, errors and warnings marked differently. */
function UrlField({ findings, validText, label, ...props }: UrlFieldProps) {
  return (
    <Stack gap={6}>
      <Textarea
        label={label}
        autosize
        minRows={2}
        maxRows={8}
        withAsterisk
        spellCheck={false}
        autoComplete="off"
        placeholder="https://"
        styles={{
          input: {
            fontFamily: 'var(--mantine-font-family-monospace)',
            fontSize: 'var(--mantine-font-size-xs)',
            overflowWrap: 'anywhere',
          },
        }}
        {...props}
      />
      <FindingNotes findings={findings} validText={validText} />
    </Stack>
  );
}

interface MacroButtonsProps {
  /** The field that a macro is inserted into, for example Click URL. */
  into: string;
  onInsert: (macro: string) => void;
}

/** Buttons that insert a macro at the cursor. */
function MacroButtons({ into, onInsert }: MacroButtonsProps) {
  return (
    <Stack gap={4} role="group" aria-label="Macros">
      <Text size="sm" fw={500}>
        Macros{' '}
        <Text span inherit fw={400} c="dimmed">
          are inserted into the {into} at the cursor
        </Text>
      </Text>
      <Group gap={6}>
        {Object.entries(TRACKING_MACROS).map(([macro, meaning]) => (
          <Tooltip
            key={macro}
            label={meaning}
            multiline
            maw={300}
            events={{ hover: true, focus: true, touch: false }}
          >
            <SecondaryButton
              size="compact-xs"
              ff="monospace"
              fw={400}
              onClick={() => onInsert(macro)}
              aria-label={`Insert ${macro}`}
            >
              {`{${macro}}`}
            </SecondaryButton>
          </Tooltip>
        ))}
      </Group>
    </Stack>
  );
}
