import {
  type ModerationFile,
  type ModerationKind,
  moderationKinds,
} from '@bidwell/contract/moderation/schema';

/** Names of the kinds, one and several. */
export const kindNames: Record<ModerationKind, { one: string; many: string }> = {
  app: { one: 'App', many: 'Apps' },
  Banner: { one: 'Banner', many: 'Banners' },
  Video: { one: 'Video', many: 'Videos' },
  Playable: { one: 'Playable', many: 'Playables' },
  Native: { one: 'Native ad', many: 'Native ads' },
  creative_group: { one: 'Group texts', many: 'Group texts' },
  tracking_link: { one: 'Tracking link', many: 'Tracking links' },
};

/** The kind that a text names; undefined for another text. */
export const kindOf = (text: string | undefined): ModerationKind | undefined =>
  moderationKinds.find((kind) => kind === text);

const MINUTE_MS = 60_000;

/** How long something waits, in its largest unit. */
export function ageText(since: string, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(since)) / MINUTE_MS));
  if (minutes < 1) return '< 1 min';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / 1440)} days`;
}

/** Type, size, dimensions and duration of a file. */
export function fileFacts({
  extension,
  size_bytes: bytes,
  width,
  height,
  duration_ms: ms,
}: ModerationFile): string {
  const kb = bytes / 1024;
  const facts = [
    extension.toUpperCase(),
    kb < 1024 ? `${Math.max(1, Math.round(kb))} KB` : `${(kb / 1024).toFixed(1)} MB`,
    width !== null && height !== null ? `${width} × ${height} px` : null,
    ms === null ? null : `${(ms / 1000).toFixed(1)} s`,
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
