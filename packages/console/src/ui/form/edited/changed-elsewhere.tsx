import { type EntityVersion, versionOf } from '@bidwell/contract/lib/version';
import { fieldLabel } from '@bidwell/contract/text/field-label';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { hashKey } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { TRIES_MAX, isOutdated } from '../../../lib/api/change-as-shown.ts';
import { SmallButton } from '../../layout/buttons.tsx';
import { LongText } from '../../layout/text.tsx';

/** The entity that a form edits, which others may change meanwhile. */
export interface EditedEntity<Values extends Record<string, unknown>, Saved extends object> {
  /** As the console has it now; live updates renew it. */
  saved: Saved;
  /** The values of the fields. */
  valuesOf: (saved: Saved) => Values;
  version: Pick<EntityVersion, 'ignoring'>;
  /** Whether `saved` lacks fields of the entity, as a list may, or has no version: then it is read before it is saved. */
  isPart?: boolean;
  /** Reads it again, also into the cache from which `saved` comes. Throws ApiError. */
  reload: () => Promise<Saved>;
  /** The name of what a value refers to, such as an app's name; undefined if the value itself says it. */
  nameOf?: (field: keyof Values & string, value: unknown) => string | undefined;
  /** The form's name of a field, if it does not show it itself. */
  labelOf?: (field: keyof Values & string) => string | undefined;
}

/** The parts of a form that let it follow its entity. Each takes effect at once, before the next render. */
export interface FollowingForm<Values> {
  getValues: () => Values;
  /** Sets the values as they are saved. */
  setInitialValues: (saved: Values) => void;
  resetDirty?: (saved: Values) => void;
  setFieldValue: (field: string, value: never) => void;
}

/** A field that someone else changed while the person did too. */
interface Conflict {
  field: string;
  /** The value that both started from. */
  before: unknown;
  saved: unknown;
}

/** Thrown in place of saving: the person has to choose first. */
export class ChoiceNeeded extends Error {}

export interface ChangedElsewhere<Values, Saved> {
  /**
   * Saves with the version that the values are based on. Where someone else saved meanwhile, it takes over the fields that the person left
   * alone and saves again; throws ChoiceNeeded where both changed one. `base` is the entity of that version.
   */
  sendCurrent: <Sent>(
    values: Values,
    send: (values: Values, version: string | undefined, base: Saved | undefined) => Promise<Sent>,
  ) => Promise<Sent>;
  /** Shows the fields that both changed, with both values, to choose from; null without any. */
  notice: ReactNode;
  /** The saved values that what the form has is based on, for its draft; undefined for a new entity. */
  base: Values | undefined;
  /**
   * Compares the form with the saved values, after a draft was put into it: `before` is the base of the draft, null if it is
   * not known, so that each field that differs is asked about.
   */
  rebase: (before: Values | null) => void;
}

/**
 * Lets a form follow the entity that it edits: fields that only someone else changed take the new value, fields that both changed are
 * shown with both values. `entity` is undefined for a new one.
 */
export function useChangedElsewhere<Values extends Record<string, unknown>, Saved extends object>(
  form: FollowingForm<Values>,
  entity: EditedEntity<Values, Saved> | undefined,
  busy: boolean,
): ChangedElsewhere<Values, Saved> {
  const [found, setConflicts] = useState<Conflict[]>([]);
  const base = useRef(entity?.saved);
  const [shownBase, showBase] = useState(entity?.saved);
  // Not the base: after a conflict it is newer than what the cache has for a moment.
  const followed = useRef(entity && hashKey([entity.saved]));
  // What this form saved last: until the entity is read again, it is what the server has of the fields.
  const sent = useRef<Values>(undefined);
  // Where the base is only a part of the entity, the whole of it.
  const whole = useRef<Saved>(undefined);
  const noticeRef = useRef<HTMLDivElement>(null);

  /** The fields that the person has to choose: one that is as it is saved needs no choice. */
  const openOf = (all: readonly Conflict[]): Conflict[] =>
    all.filter(({ field, saved }) => !isSame(form.getValues()[field], saved));
  const conflicts = openOf(found);

  const follow = (saved: Saved, draftBase?: Values): Conflict[] => {
    if (!entity || !base.current) return [];
    const before = draftBase ?? sent.current ?? entity.valuesOf(base.current);
    const after = entity.valuesOf(saved);
    const { taken, conflicts: newer } = mergeFields(before, after, form.getValues());
    base.current = saved;
    showBase(saved);
    sent.current = undefined;
    form.setInitialValues(after);
    for (const [field, value] of Object.entries(taken)) form.setFieldValue(field, value as never);
    form.resetDirty?.(after);
    const open = openOf(withNewer(found, newer).filter(({ field }) => !Object.hasOwn(taken, field)));
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

  /** Takes over what the server has now. Throws ChoiceNeeded where both changed a field. */
  const catchUp = async ({ reload }: EditedEntity<Values, Saved>): Promise<void> => {
    whole.current = await reload();
    if (follow(whole.current).length === 0) return;
    focusNotice();
    throw new ChoiceNeeded();
  };
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
      const isKnown = !entity?.isPart || base.current === whole.current;
      if (!isKnown) await catchUp(entity);
      for (let tries = 1; ; tries += 1) {
        try {
          const version = entity && base.current && versionOf(entity.version, base.current);
          const current = tries === 1 && isKnown ? values : form.getValues();
          const result = await send(current, version, base.current);
          if (entity && form.resetDirty) {
            sent.current = current;
            form.setInitialValues(current);
            form.resetDirty(current);
          }
          return result;
        } catch (error) {
          if (!entity || !isOutdated(error) || tries === TRIES_MAX) throw error;
          await catchUp(entity);
        }
      }
    },
    notice: conflicts.length > 0 && (
      <ConflictNotice
        ref={noticeRef}
        rows={conflicts.map((conflict) => ({
          field: conflict.field,
          label: entity?.labelOf?.(conflict.field) ?? fieldLabel(conflict.field),
          mine: textOf(entity, conflict.field, form.getValues()[conflict.field]),
          saved: textOf(entity, conflict.field, conflict.saved),
          onChoose: (takesSaved) => choose(conflict, takesSaved),
        }))}
      />
    ),
    base: entity && shownBase && baseOf(entity.valuesOf(shownBase), conflicts),
    rebase: (before) => {
      if (entity && base.current) follow(base.current, before ?? unknownBase(entity.valuesOf(base.current)));
    },
  };
}

/** Conflicts with newer ones, which began with what the earlier ones of their fields began with. Pure. */
function withNewer(earlier: readonly Conflict[], newer: readonly Conflict[]): Conflict[] {
  const all = new Map(earlier.map((one) => [one.field, one]));
  for (const one of newer) all.set(one.field, { ...one, before: (all.get(one.field) ?? one).before });
  return [...all.values()];
}

/** The base of a form: the person does not know the saved values of the asked fields yet. Pure. */
function baseOf<Values extends Record<string, unknown>>(
  saved: Values,
  conflicts: readonly Conflict[],
): Values {
  return { ...saved, ...Object.fromEntries(conflicts.map(({ field, before }) => [field, before])) };
}

/** No value that a field has, so that it counts as changed by someone else. */
const UNKNOWN = '\u{0}unknown';

/** The base of values whose base is not known: each field counts as changed. Pure. */
export function unknownBase<Values extends Record<string, unknown>>(saved: Values): Values {
  return Object.fromEntries(Object.keys(saved).map((field) => [field, UNKNOWN])) as Values;
}

interface ConflictNoticeProps {
  ref: RefObject<HTMLDivElement | null>;
  rows: readonly (ConflictRowProps & { field: string })[];
}

function ConflictNotice({ ref, rows }: ConflictNoticeProps) {
  return (
    <Alert
      ref={ref}
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
        {rows.map(({ field, ...row }) => (
          <ConflictRow key={field} {...row} />
        ))}
      </Stack>
    </Alert>
  );
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
      <LongText>
        {title}: {text}
      </LongText>
      <SmallButton aria-label={`${action}: ${label}`} onClick={onChoose} style={{ flexShrink: 0 }}>
        {action}
      </SmallButton>
    </Group>
  );
}

/**
 * Compares three sets of values field by field: `taken` are the fields that only someone else changed, `conflicts` the fields that both
 * changed to different values. Pure.
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
      .map((field) => ({ field, before: base[field], saved: saved[field] })),
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
