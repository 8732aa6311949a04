import type { ProjectType } from '../../../contract/fields.ts';
import { fileTypeNames } from '../../../contract/type-names.ts';
import { type Html, html } from './html.ts';

/** An entry of a list: a folder, or a file of some type. */
type EntryType = ProjectType | 'folder';

/** The name of each type, shown beside its icon. */
export const typeNames: Readonly<Record<EntryType, string>> = {
  folder: 'Folder',
  ...fileTypeNames,
};

const sheet = 'M6 2.75h8l4.5 4.5v14H6zM14 2.75v4.5h4.5';

/** Strokes on a grid of 24; files keep the outline of a sheet, media their own shape. */
const shapes: Record<EntryType, string> = {
  folder: 'M2.75 6v13h18.5V8H12L9.8 5.25H2.75z',
  html: `${sheet}M10.5 11 8.5 13.8l2 2.8M14 11l2 2.8-2 2.8`,
  zip: `${sheet}M10 3v1.5M10 6.5V8M10 10v1.5M8.75 13.5h2.5v4h-2.5z`,
  pdf: `${sheet}M8.8 17.8c3-2 4.2-5 3.4-8-.2-.8-1.2-.6-1.10.3.3 3 2 5.4 4.8 6.2M9.5 16.5c2-1 4-1.4 6.3-1.2`,
  image: 'M2.75 4.75h18.5v14.5H2.75zM3 17l5.5-5.5 4.5 4.5 3-3 5 5M15.5 9.2v.1',
  files: sheet,
  presentation:
    'M2.75 4.25h18.5M4.25 4.5v10.75h15.5V4.5M12 15.5v2.5M8 21.25l4-3.25 4 3.25M8.5 11.5V9.5M12 11.5v-4M15.5 11.5V8.5',
  audio: 'M3.5 10.5v3M7.5 7.5v9M11.5 4v16M15.5 8v8M19.5 10.5v3',
  video: 'M2.75 4.75h18.5v14.5H2.75zM10 8.8v6.4l5.2-3.2z',
  code: `${sheet}M11 10.8c-1.8 0-.5 2.9-2.4 3.2 1.90.3.6 3.2 2.4 3.2M13.5 10.8c1.8 0 .5 2.9 2.4 3.2-1.90.3-.6 3.2-2.4 3.2`,
  document: `${sheet}M9 11h6.5M9 14h6.5M9 17h4`,
  markdown:
    'M2.75 5.75h18.5v12.5H2.75zM6 15V9l2.75 3.2L11.5 9v6M16.75 9v5.5M14.5 12.6l2.25 2.4L19 12.6',
  yaml: `${sheet}M8.8 11.2h1.5M8.8 14h1.5M8.8 16.8h1.5M12.5 11.2h3M12.5 14h3M12.5 16.8h3`,
  sql: 'M4.75 6c0-4 14.5-4 14.5 0s-14.5 4-14.5 0v12c0 4 14.5 4 14.5 0V6M4.75 12c0 4 14.5 4 14.5 0',
  python: `${sheet}M8.8 11.5 11 13.7l-2.2 2.2M12.5 16.5h3`,
  model3d: 'M12 2.75 20 7.25v9.5l-8 4.5-8-4.5v-9.5zM4.2 7.3 12 11.75l7.8-4.45M12 12v9',
};

/** The shapes that `icon` refers to: include them once per document, only for the types it uses. */
export function iconSprite(types: Iterable<EntryType>): Html {
  const symbols = [...new Set(types)].map(
    (type) =>
      html`<symbol id="icon-${type}" viewBox="0 0 24 24"><path d="${shapes[type]}"/></symbol>`,
  );
  return html`<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">${symbols}</svg>`;
}

/** The icon of a type. Screen readers skip it, so always show the type's name near it. */
export function icon(type: EntryType): Html {
  return html`<svg class="icon ${type}" aria-hidden="true" focusable="false"><use href="#icon-${type}"/></svg>`;
}
