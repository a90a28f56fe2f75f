import type {
  Audience,
  AudienceImport,
  AudienceUpload,
  AudienceUse,
} from '@bidwell/contract/audiences/schema';
import type { Selectable } from 'kysely';
import type { AudienceUploadTable } from '../../../platform/postgres/audience-tables.ts';
import type { LoggedFields } from '../../changes/public.ts';
import type { AudienceRow, ImportRow } from './store.ts';

/** Converts a row with its latest import and its users into the response body. */
export function presentAudience(
  row: AudienceRow,
  lastImport: ImportRow | undefined,
  users: readonly AudienceUse[],
): Audience {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    kind: row.kind,
    app: row.app_uuid === null ? null : { uuid: row.app_uuid, name: row.app_name ?? '' },
    rule: row.rule,
    source_url: row.source_url,
    id_form: row.id_form,
    hashed_letters: row.hashed_letters,
    is_installed: row.is_installed,
    state: stateOf(row, lastImport),
    size: row.size,
    id_hash: row.id_hash,
    refreshed_at: row.refreshed_at?.toISOString() ?? null,
    last_import: lastImport ? presentImport(lastImport) : null,
    matches: matchesOf(row),
    used_by: [...users],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Length of a period of look-ups, ms. */
export const MATCH_PERIOD_MS = 86_400_000;

function matchesOf(row: AudienceRow): Audience['matches'] {
  const { last_began_at: from, last_size: size } = row;
  if (from === null) return null;
  const people = row.last_people ?? 0;
  return {
    look_ups: row.last_look_ups ?? 0,
    found: row.last_matches ?? 0,
    people,
    percent: size ? Math.min(100, Math.round((people / size) * 1000) / 10) : null,
    from: from.toISOString(),
    to: new Date(from.getTime() + MATCH_PERIOD_MS).toISOString(),
  };
}

function stateOf(row: AudienceRow, lastImport: ImportRow | undefined): Audience['state'] {
  if (lastImport?.state === 'waiting' || lastImport?.state === 'running') return 'importing';
  if (lastImport?.state === 'failed') return 'failed';
  return row.refreshed_at === null ? 'empty' : 'ready';
}

/** Converts an import. */
export function presentImport(row: ImportRow): AudienceImport {
  const { report } = row;
  return {
    uuid: row.uuid,
    mode: row.mode,
    source: row.source,
    state: row.state,
    progress: row.state === 'done' ? 100 : row.progress,
    lines: report?.lines ?? 0,
    ids: report?.ids ?? 0,
    duplicates: report?.duplicates ?? 0,
    invalid: report?.invalid ?? 0,
    invalid_lines: report?.invalid_lines ?? [],
    size_before: report?.size_before ?? 0,
    size_after: report?.size_after ?? 0,
    error: row.error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** Converts an upload with the import of a finished one. */
export function presentUpload(
  row: Selectable<AudienceUploadTable>,
  imported: ImportRow | undefined,
): AudienceUpload {
  return {
    uuid: row.uuid,
    mode: row.mode,
    bytes: row.bytes,
    received: row.received,
    import: imported ? presentImport(imported) : null,
    expires_at: row.expires_at.toISOString(),
  };
}

/** Fields of an audience that the change log compares: not its ids, and not what imports change. */
export function logged({
  name,
  description,
  kind,
  app,
  rule,
  source_url: sourceUrl,
  id_form: idForm,
  hashed_letters: hashedLetters,
}: Audience): LoggedFields {
  return {
    name,
    description,
    kind,
    app,
    rule,
    source_url: sourceUrl,
    id_form: idForm,
    hashed_letters: hashedLetters,
  };
}
