import { fileAddress, thumbnailAddress } from '@bidwell/contract/creatives/file-endpoints';
import type { AppSummary } from '@bidwell/contract/apps/schema';
import type { Creative } from '@bidwell/contract/creatives/schema';
import type { CreativeVersion } from '../../../platform/postgres/schema.ts';
import { presentTimes } from '../../../platform/postgres/stores/owned-store.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { appsOf } from '../apps/service.ts';
import type { LoggedFields } from '../../changes/public.ts';
import { type CreativeFileRow, type CreativeRow, findFiles, listCreativeRows } from './store.ts';

/** Converts rows to response bodies, with their apps and files. */
export async function presentCreatives(
  db: Db,
  companyId: string,
  rows: readonly CreativeRow[],
): Promise<Creative[]> {
  const fileIds = rows.flatMap((row) => [row.banner_file_uuid, row.video_file_uuid, row.playable_file_uuid]);
  const requested = fileIds.filter((uuid) => uuid !== null);
  const [appOf, files] = await Promise.all([
    appsOf(db, companyId, rows),
    findFiles(db, companyId, requested),
  ]);
  return presentRows(rows, appOf, files);
}

/** All creatives of the company as response bodies, newest first. */
export async function presentAllCreatives(db: Db, companyId: string): Promise<Creative[]> {
  const rows = await listCreativeRows(db, companyId);
  // Read after the creatives, so that everything they refer to exists.
  const [appOf, files] = await Promise.all([appsOf(db, companyId, rows), findFiles(db, companyId)]);
  return presentRows(rows, appOf, files);
}

function presentRows(
  rows: readonly CreativeRow[],
  appOf: (row: CreativeRow) => AppSummary,
  fileRows: readonly CreativeFileRow[],
): Creative[] {
  const files = new Map(fileRows.map((file) => [file.uuid, file]));
  const fileOf = (uuid: string | null) => (uuid === null ? undefined : files.get(uuid));
  return rows.map((row) => {
    const banner = fileOf(row.banner_file_uuid);
    const video = fileOf(row.video_file_uuid);
    return {
      uuid: row.uuid,
      status: row.status,
      rejection_reason: row.rejection_reason,
      approved_version: approvedVersion(row.approved),
      app: appOf(row),
      click_url: row.click_url,
      view_url: row.view_url,
      labels: row.labels,
      ...presentTimes(row),
      internal_creative: {
        uuid: row.internal_creative_uuid,
        name: row.name,
        type: row.type,
        description: row.description,
        sponsor: row.sponsor,
        title: row.title,
        html: row.playable_file_uuid && fileAddress(`${row.playable_file_uuid}.html`),
        width: row.width,
        height: row.height,
        duration_ms: row.duration_ms,
        banner_id: row.banner_file_uuid,
        video_id: row.video_file_uuid,
        banner_extension: banner?.extension ?? null,
        video_extension: video?.extension ?? null,
        banner: fileRef(banner),
        video: fileRef(video),
        playable: fileRef(fileOf(row.playable_file_uuid)),
        thumbnail: banner ? thumbnailAddress(banner.uuid) : null,
        external_loads: row.external_loads ?? [],
        exits: row.exits ?? [],
      },
    };
  });
}

function approvedVersion(approved: CreativeVersion | null): Creative['approved_version'] {
  if (!approved) return null;
  const { banner_file_uuid: banner_id, ...version } = approved;
  return { ...version, banner_id };
}

function fileRef(file: CreativeFileRow | undefined) {
  return file
    ? {
        uuid: file.uuid,
        url: fileAddress(`${file.uuid}.${file.extension}`),
        size_bytes: file.size_bytes,
      }
    : null;
}

/** Fields of a creative that are written to the change log. */
export function logged(creative: Creative): LoggedFields {
  const { internal_creative: asset, app, ...rest } = creative;
  const { name, type, description, sponsor, title, width, height } = asset;
  return {
    ...rest,
    app: app.name,
    name,
    type,
    description,
    sponsor,
    title,
    size: width && height ? `${width}×${height}` : null,
    ...(type === 'Video' && { end_card: asset.banner_id }),
  };
}
