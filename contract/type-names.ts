import type { ProjectType } from './fields.ts';

/** The name of each type of a file. */
export const fileTypeNames: Readonly<Record<ProjectType, string>> = {
  html: 'Web page',
  zip: 'ZIP archive',
  pdf: 'PDF',
  image: 'Image',
  files: 'File',
  presentation: 'Presentation',
  audio: 'Audio',
  video: 'Video',
  code: 'Code',
  document: 'Document',
  markdown: 'Markdown',
  yaml: 'YAML',
  sql: 'SQL',
  python: 'Python',
  model3d: '3D model',
};

/** The name of each type of a project. `zip`, an uploaded archive, is called a site. */
export const projectTypeNames: Readonly<Record<ProjectType, string>> = {
  ...fileTypeNames,
  zip: 'Site',
  files: 'Files',
};

/** Kinds of file that are more than their type says, by the ends of their names. */
const kindNames: Readonly<Record<string, string>> = {
  csv: 'Table',
  tsv: 'Table',
  ics: 'Calendar',
  ipynb: 'Notebook',
  log: 'Log',
  ...Object.fromEntries(
    ['parquet', 'arrow', 'arrows', 'feather', 'ipc'].map((end) => [end, 'Table']),
  ),
  ...Object.fromEntries(
    ['tar', 'tgz', 'gz', 'zip', 'jar', 'apk', 'whl', '7z'].map((end) => [end, 'Archive']),
  ),
  ...Object.fromEntries(['ttf', 'otf', 'woff', 'woff2'].map((end) => [end, 'Font'])),
  ...Object.fromEntries(
    ['sqlite', 'sqlite3', 'db', 'db3', 'gpkg', 'mbtiles'].map((end) => [end, 'Database']),
  ),
  ...Object.fromEntries(
    ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlsb', 'xls', 'ods', 'fods', 'numbers'].map((end) => [
      end,
      'Spreadsheet',
    ]),
  ),
};

/** What people call a file: `Calendar` for `days.ics`, otherwise the name of its type. */
export function kindOfFile(name: string, type: ProjectType): string {
  const end = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return kindNames[end] ?? fileTypeNames[type];
}
