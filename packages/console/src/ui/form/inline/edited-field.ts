import type { EntityVersion } from '@bidwell/contract/lib/version';
import type { EditedEntity } from '../edited/changed-elsewhere.tsx';

/** A field of an entity that is edited in place. */
export interface FieldInPlace<Value> {
  entity: EditedEntity<{ value: Value }, object>;
  /** Saves the value, only of the version; `close` closes the dialog. When it throws, the dialog stays open and shows the error. */
  send: (value: Value, version: string | undefined, close: () => void) => Promise<unknown>;
}

interface FieldOptions<Item extends object, Value> extends Pick<FieldInPlace<Value>, 'send'> {
  /** The entity as the table has it. */
  saved: Item;
  valueOf: (item: Item) => Value;
  version: Pick<EntityVersion, 'ignoring'>;
  /** Whether the table has only a part of the entity. */
  isPart?: boolean;
  /** Reads the entity as the server has it. Throws ApiError. */
  reload: () => Promise<Item>;
}

/** The field of an entity in a row of a table. */
export function fieldInPlace<Item extends object, Value>({
  saved,
  valueOf,
  version,
  isPart = false,
  reload,
  send,
}: FieldOptions<Item, Value>): FieldInPlace<Value> {
  const valuesOf = (item: object) => ({ value: valueOf(item as Item) });
  return { entity: { saved, valuesOf, version, isPart, reload }, send };
}

/** The value of a field in its row. */
export const shownValue = <Value>({ entity }: FieldInPlace<Value>): Value =>
  entity.valuesOf(entity.saved).value;
