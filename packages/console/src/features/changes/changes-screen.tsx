import type { ListedChange } from '@bidwell/contract/changes/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Box, Group, Paper, Skeleton, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { kindOf, verbOf, wholeText } from '../../entities/changes/change-values.ts';
import { entityLink } from '@bidwell/contract/changes/entity-link';
import { formatDay, formatMoment } from '../../lib/format/format.ts';
import { knownData, useKnown, useLoadable } from '../../lib/loadable.ts';
import { accountQuery } from '../../lib/api/account.ts';
import { CHANGES_PER_PAGE, changesQuery } from '../../entities/changes/queries.ts';
import {
  ChangedFields,
  FieldLine,
  FieldLines,
  FieldsLeftOut,
} from '../../entities/changes/changed-fields.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { Caption, LongText } from '../../ui/layout/text.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Pages } from '../../ui/layout/pages.tsx';
import { UndoButton } from '../../entities/changes/undo-button.tsx';
import classes from './changes-screen.module.css';

/** The change log: user, time, and values before and after each change. */
export function ChangesScreen() {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const navigate = useNavigate();
  const user = useKnown(accountQuery);
  const figures = useLoadable({
    ...changesQuery(user?.company.uuid ?? '', page),
    enabled: Boolean(user),
  });
  const list = knownData(figures);
  return (
    <>
      <PageHeader
        title="Change log"
        description="Every change to your company’s campaigns, assets and settings, newest first."
      />
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <FigureFrame
          figures={figures}
          what="The changes"
          noticeMargin="sm"
          skeleton={
            <Stack p="md" gap="lg">
              {Array.from({ length: 6 }, (_, index) => (
                <Skeleton key={index} height={34} />
              ))}
            </Stack>
          }
        >
          {list?.changes.length === 0 && (
            <EmptyState
              title={list.total === 0 ? screenMessages.changesEmpty : consoleMessages.noSuchPage}
              text={screenMessages.changesText}
            />
          )}
          <ol className={classes['list']}>
            {list?.changes.map((change, index) => (
              <Entry
                key={change.uuid}
                change={change}
                isNewDay={
                  formatDay(change.created_at) !== formatDay(list.changes[index - 1]?.created_at ?? '')
                }
              />
            ))}
          </ol>
        </FigureFrame>
        <Pages
          label="Pages of the change log"
          total={list?.total}
          perPage={CHANGES_PER_PAGE}
          page={page}
          onChange={(next) =>
            void navigate({ to: '/changes', search: { page: next === 1 ? undefined : next } })
          }
        />
      </Paper>
    </>
  );
}

function Entry({ change, isNewDay }: { change: ListedChange; isNewDay: boolean }) {
  const { action, author, entity_type, entity_name, entity_uuid, created_at, fields } = change;
  const link = action === 'delete' ? null : entityLink(entity_type, entity_uuid);
  const isWhole = action === 'create' || action === 'delete';
  // For a created or deleted entity, its values; empty ones are omitted.
  const values = fields
    .map((changed) => ({
      field: changed.field,
      text: wholeText(changed, action === 'create' ? 'after' : 'before'),
    }))
    .filter(({ text }) => text !== 'none' && text !== 'unlimited');
  return (
    <li>
      {isNewDay && (
        <Caption className={classes['day']} fw={600}>
          {formatDay(created_at)}
        </Caption>
      )}
      <Box className={classes['entry']}>
        <Group gap={6} justify="space-between" wrap="nowrap" align="flex-start">
          <LongText>
            <b>{author}</b> {verbOf(change)} {kindOf(change)}{' '}
            {link ? (
              <AnchorLink {...link} size="sm" fw={600}>
                {entity_name}
              </AnchorLink>
            ) : (
              <b>{entity_name}</b>
            )}
          </LongText>
          <Group gap="sm" wrap="nowrap" style={{ flexShrink: 0 }}>
            <UndoButton change={change} />
            <Caption
              component="time"
              dateTime={created_at}
              title={formatMoment(created_at)}
              style={{ whiteSpace: 'nowrap' }}
            >
              {formatMoment(created_at).slice(-5)}
            </Caption>
          </Group>
        </Group>
        {change.fields_left_out && <FieldsLeftOut />}
        {!isWhole && <ChangedFields fields={fields} />}
        {isWhole && values.length > 0 && (
          <details className={classes['details']}>
            <summary>
              {action === 'create' ? 'With' : 'It had'} {values.length}{' '}
              {values.length === 1 ? 'field' : 'fields'}
            </summary>
            <FieldLines>
              {values.map(({ field, text }) => (
                <FieldLine key={field} field={field}>
                  {text}
                </FieldLine>
              ))}
            </FieldLines>
          </details>
        )}
      </Box>
    </li>
  );
}
