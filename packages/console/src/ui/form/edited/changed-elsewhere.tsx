import { type EntityVersion, versionOf } from '@bidwell/contract/lib/version';
import { fieldLabel } from '@bidwell/contract/text/field-label';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { hashKey } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';

/** The entity that a form edits, which others may change meanwhile. */
export interface EditedEntity<Values extends Record<string, unknown>, Saved extends object> {
  /** As the console has it now; live updates renew it. */
  saved: Saved;
  /** The values of the fields. */
  valuesOf: (saved: Saved) => Values;
  version: Pick<EntityVersion, 'ignoring'>;
  /** Reads it again, also into the cache from which `saved` comes. Throws ApiError. */
  reload: () => Promise<Saved>;
  /** The name of what a value refers to, such as that of an app; undefined where the value says it itself. */
  nameOf?: (field: keyof Values & string, value: unknown) => string | undefined;
  /** What the form calls a field, where it does not say so itself. */
  labelOf?: (field: keyof Values & string) => string | undefined;
}

/** What is needed of a form to let it follow its entity. Each takes effect at once, before the next render. */
export interface FollowingForm<Values> {
  getValues: () => Values;
  /** Sets the values as they are saved. */
  setInitialValues: (saved: Values) => void;
  resetDirty?: (saved: Values) => void;
  setFieldValue: (field: string, value: never) => void;
}

/** A field that somebody else changed while the person did too. */
interface Conflict {
  field: string;
  saved: unknown;
}

/** Thrown in place of saving: the person has to choose first. */
export class ChoiceNeeded extends Error {}

/** Whether somebody else changed the entity, so that it has another version than a change was sent for. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** Somebody may save again and again; the person can repeat it. */
const TRIES_MAX = 3;

export interface ChangedElsewhere<Values, Saved> {
  /**
   * Saves with the version that the values are based on. Where somebody else saved meanwhile, it takes over the fields that the person left
   * alone and saves again; throws ChoiceNeeded where both changed one. `base` is the entity of that version.
   */
  sendCurrent: <Sent>(
    values: Values,
    send: (values: Values, version: string | undefined, base: Saved | undefined) => Promise<Sent>,
  ) => Promise<Sent>;
  /** Shows the fields that both changed, with both values, to choose from; null without any. */
  notice: ReactNode;
}

/**
 * Lets a form follow the entity that it edits: fields that only somebody else changed take the new value, fields that both changed are
 * shown with both values. `entity` is undefined for a new one.
 */
export function useChangedElsewhere<Values extends Record<string, unknown>, Saved extends object>(
  form: FollowingForm<Values>,
  entity: EditedEntity<Values, Saved> | undefined,
  busy: boolean,
): ChangedElsewhere<Values, Saved> {
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const base = useRef(entity?.saved);
  // Not the base: after a conflict it is newer than what the cache has for a moment.
  const followed = useRef(entity && hashKey([entity.saved]));
  // What this form saved last: until the entity is read again, it is what the server has of the fields.
  const sent = useRef<Values>(undefined);
  const noticeRef = useRef<HTMLDivElement>(null);

  const follow = (saved: Saved): Conflict[] => {
    if (!entity || !base.current) return [];
    const [before, after] = [sent.current ?? entity.valuesOf(base.current), entity.valuesOf(saved)];
    const { taken, conflicts: found } = mergeFields(before, after, form.getValues());
    base.current = saved;
    sent.current = undefined;
    form.setInitialValues(after);
    form.resetDirty?.(after);
    for (const [field, value] of Object.entries(taken)) form.setFieldValue(field, value as never);
    const open = [
      ...conflicts.filter(
        ({ field }) => !Object.hasOwn(taken, field) && found.every((one) => one.field !== field),
      ),
      ...found,
    ].filter(({ field, saved: value }) => !isSame(form.getValues()[field], value));
    setConflicts(open);
    return open;
  };

  const hash = entity && hashKey([entity.saved]);
  const onRenewed = useEffectEvent((renewed: string | undefined, isSaving: boolean) => {
    if (!entity || isSaving || renewed === followed.current) return;
    followed.current = renewed;
    follow(entity.saved);
  });
  useEffect(() => onRenewed(hash, busy), [hash, busy]);

  const focusNotice = () => setTimeout(() => noticeRef.current?.focus());
  const choose = ({ field, saved }: Conflict, takesSaved: boolean): void => {
    if (takesSaved) form.setFieldValue(field, saved as never);
    setConflicts((all) => all.filter((one) => one.field !== field));
  };
  return {
    sendCurrent: async (values, send) => {
      if (conflicts.length > 0) {
        focusNotice();
        throw new ChoiceNeeded();
      }
      for (let tries = 1; ; tries += 1) {
        try {
          const version = entity && base.current && versionOf(entity.version, base.current);
          const current = tries === 1 ? values : form.getValues();
          const result = await send(current, version, base.current);
          if (entity && form.resetDirty) {
            sent.current = current;
            form.setInitialValues(current);
            form.resetDirty(current);
          }
          return result;
        } catch (error) {
          if (!entity || !isOutdated(error) || tries === TRIES_MAX) throw error;
          if (follow(await entity.reload()).length === 0) continue;
          focusNotice();
          throw new ChoiceNeeded();
        }
      }
    },
    notice:
      conflicts.length === 0 ? null : (
        <Alert
          ref={noticeRef}
          tabIndex={-1}
          color="yellow"
          variant="light"
          mb="md"
          maw={1180}
          role="alert"
          title={screenMessages.changedElsewhere}
        >
          <Stack gap="xs">
            <Text size="sm">{screenMessages.chooseValues}</Text>
            {conflicts.map((conflict) => (
              <ConflictRow
                key={conflict.field}
                label={entity?.labelOf?.(conflict.field) ?? fieldLabel(conflict.field)}
                mine={textOf(entity, conflict.field, form.getValues()[conflict.field])}
                saved={textOf(entity, conflict.field, conflict.saved)}
                onChoose={(takesSaved) => choose(conflict, takesSaved)}
              />
            ))}
          </Stack>
        </Alert>
      ),
  };
}

interface ConflictRowProps {
  label: string;
  mine: string;
  saved: string;
  onChoose: (takesSaved: boolean) => void;
}

function ConflictRow({ label, mine, saved, onChoose }: ConflictRowProps) {
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Choice title="Yours" text={mine} action="Keep yours" label={label} onChoose={() => onChoose(false)} />
      <Choice title="Saved" text={saved} action="Take saved" label={label} onChoose={() => onChoose(true)} />
    </Stack>
  );
}

interface ChoiceProps {
  title: string;
  text: string;
  action: string;
  /** The field, for screen readers. */
  label: string;
  onChoose: () => void;
}

function Choice({ title, text, action, label, onChoose }: ChoiceProps) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" maw={560}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {title}: {text}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${action}: ${label}`}
        onClick={onChoose}
        style={{ flexShrink: 0 }}
      >
        {action}
      </Button>
    </Group>
  );
}

/**
 * Compares three sets of values field by field: `taken` are the fields that only somebody else changed, `conflicts` those that both changed
 * to different values. Pure.
 */
export function mergeFields<Values extends Record<string, unknown>>(
  base: Values,
  saved: Values,
  mine: Values,
): { taken: Partial<Values>; conflicts: Conflict[] } {
  const fields = Object.keys(saved).filter((field) => !isSame(base[field], saved[field]));
  const isOwn = (field: string) => !isSame(base[field], mine[field]);
  return {
    taken: Object.fromEntries(
      fields.filter((field) => !isOwn(field)).map((field) => [field, saved[field]]),
    ) as Partial<Values>,
    conflicts: fields
      .filter((field) => isOwn(field) && !isSame(mine[field], saved[field]))
      .map((field) => ({ field, saved: saved[field] })),
  };
}

const isSame = (a: unknown, b: unknown): boolean => hashKey([a]) === hashKey([b]);

const TEXT_CHARS_MAX = 200;

/** A value as a short text. */
function textOf<Values extends Record<string, unknown>, Saved extends object>(
  entity: EditedEntity<Values, Saved> | undefined,
  field: string,
  value: unknown,
): string {
  const one = (part: unknown): string => entity?.nameOf?.(field, part) ?? plainText(part);
  const text = Array.isArray(value) && value.length > 0 ? value.map(one).join(', ') : one(value);
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
}

function plainText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plainText).join(', ');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  if ('name' in value && typeof value.name === 'string') return value.name;
  return Object.entries(value)
    .map(([name, part]) => `${fieldLabel(name)}: ${plainText(part)}`)
    .join(', ');
}
