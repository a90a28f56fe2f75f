import type { Creative } from '@bidwell/contract/creative';
import type { Db } from '../../platform/postgres/transaction.ts';
import { appSummaries } from '../apps/service.ts';
import type { CreativeRow, FileRow } from './store.ts';
import { findFiles } from './store.ts';

/** Rows in the form of the wire, with their apps and files. */
export async function readCreatives(
  db: Db,
  companyId: string,
  rows: readonly CreativeRow[],
): Promise<Creative[]> {
  const apps = await appSummaries(
    db,
    companyId,
    rows.map((row) => row.app_uuid),
  );
  const fileIds = rows.flatMap(({ asset }) => [
    asset.banner_file_uuid,
    asset.video_file_uuid,
    asset.playable_file_uuid,
  ]);
  const files = new Map(
    (
      await findFiles(
        db,
        companyId,
        fileIds.filter((uuid) => uuid !== null),
      )
    ).map((file) => [file.uuid, file]),
  );
  const fileOf = (uuid: string | null) => (uuid === null ? undefined : files.get(uuid));
  return rows.map((row) => {
    const { asset } = row;
    const banner = fileOf(asset.banner_file_uuid);
    const video = fileOf(asset.video_file_uuid);
    return {
      uuid: row.uuid,
      status: row.status,
      rejection_reason: row.rejection_reason,
      app: apps.get(row.app_uuid)!,
      click_url: row.click_url,
      view_url: row.view_url,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      internal_creative: {
        uuid: asset.uuid,
        name: asset.name,
        type: asset.type,
        description: asset.description,
        sponsor: asset.sponsor,
        title: asset.title,
        html: asset.playable_file_uuid && `/api/internal/file/${asset.playable_file_uuid}.html`,
        width: asset.width,
        height: asset.height,
        duration_ms: asset.duration_ms,
        banner_id: asset.banner_file_uuid,
        video_id: asset.video_file_uuid,
        banner_extension: banner?.extension ?? null,
        video_extension: video?.extension ?? null,
        banner: fileRef(banner),
        video: fileRef(video),
        playable: fileRef(fileOf(asset.playable_file_uuid)),
      },
    };
  });
}

function fileRef(file: FileRow | undefined) {
  return file
    ? {
        uuid: file.uuid,
        url: `/api/internal/file/${file.uuid}.${file.extension}`,
        size_bytes: file.size_bytes,
      }
    : null;
}

/** What the change log says of a creative. */
export function logged(creative: Creative): Record<string, unknown> {
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
  };
}
