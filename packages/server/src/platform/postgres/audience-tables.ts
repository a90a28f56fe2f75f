import type {
  AudienceImport,
  AudienceKind,
  AudienceRule,
  HashedLetters,
  IdForm,
  ImportMode,
} from '@bidwell/contract/audiences/schema';
import type { ColumnType, Generated } from 'kysely';

/** An audience. Its file has the digests of its ids. */
export interface AudienceTable {
  uuid: string;
  company_uuid: string;
  /** Of a live audience. */
  app_uuid: string | null;
  name: string;
  description: string;
  kind: AudienceKind;
  rule: ColumnType<AudienceRule | null, string | null, string | null>;
  source_url: string | null;
  id_form: IdForm;
  hashed_letters: HashedLetters;
  is_installed: Generated<boolean>;
  /** Under what a measurement partner knows the audience that it sends; null for others. */
  partner_key: ColumnType<string | null, string | null | undefined, string | null>;
  size: Generated<number>;
  id_hash: 'md5' | 'sha1' | 'sha256' | null;
  /** Null without ids. */
  file_uuid: string | null;
  refreshed_at: Date | null;
  /** When it is fetched or computed again; null for a list. */
  refresh_after: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A file of the file store that has a part of an upload. */
export interface StoredPart {
  uuid: string;
  bytes: number;
}

type Parts = ColumnType<readonly StoredPart[], string | undefined, string>;

/** An upload in parts. */
export interface AudienceUploadTable {
  uuid: string;
  company_uuid: string;
  audience_uuid: string;
  mode: ImportMode;
  bytes: number;
  received: Generated<number>;
  parts: Parts;
  is_open: Generated<boolean>;
  created_at: Date;
  expires_at: Date;
}

/** What an import counted. */
export type ImportReport = Pick<
  AudienceImport,
  'lines' | 'ids' | 'duplicates' | 'invalid' | 'invalid_lines' | 'size_before' | 'size_after'
>;

/** Look-ups in an audience: of the period under way, and of the last whole day from its first look-up. */
export interface AudienceMatchTable {
  audience_uuid: string;
  company_uuid: string;
  /** Null where no look-up came since the last period. */
  began_at: Date | null;
  look_ups: Generated<number>;
  matches: Generated<number>;
  /** A sketch of the people who were found. */
  people: Generated<string>;
  /** Ids of the audience when it was last looked up. */
  size: Generated<number>;
  /** Null before the first whole period. */
  last_began_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_look_ups: Generated<number>;
  last_matches: Generated<number>;
  last_people: Generated<number>;
  last_size: Generated<number>;
}

/** The person who began an import, and the name of the API key with which their program did. */
export interface ImportAuthor {
  userId: string | null;
  apiKey?: string;
}

/** An import of ids, which waits, runs or is done. */
export interface AudienceImportTable {
  uuid: string;
  company_uuid: string;
  audience_uuid: string;
  upload_uuid: string | null;
  mode: ImportMode;
  source: AudienceImport['source'];
  parts: Parts;
  /** Of a partner's file, until it is imported. */
  source_url: ColumnType<string | null, string | null | undefined, string | null>;
  state: AudienceImport['state'];
  attempts: Generated<number>;
  /** When it turned out to be long, and went back to wait for its turn among long imports; null for others. */
  put_off_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** A running import whose process ended is begun again then. */
  claimed_until: Date | null;
  progress: Generated<number>;
  report: ColumnType<ImportReport | null, string | null | undefined, string | null>;
  error: string | null;
  /** Null for what the server began. */
  requested_by: ColumnType<ImportAuthor | null, string | null | undefined, never>;
  created_at: Date;
  finished_at: Date | null;
}
