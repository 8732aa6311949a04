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

/** Kinds of file that are more than their type says, and the ends of their names. */
const endsOfKinds: Readonly<Record<string, string>> = {
  Archive: 'tar tgz gz bz2 tbz2 xz txz lzma lz4 zst tzst zip jar whl 7z rar cpio',
  Calendar: 'ics vcs',
  Contacts: 'vcf',
  Database: 'sqlite sqlite3 db db3 gpkg mbtiles',
  Diagram: 'mmd mermaid dot gv drawio',
  'Disk image': 'dmg iso img',
  Drawing: 'dxf excalidraw',
  'E-mail': 'eml',
  Font: 'ttf otf woff woff2',
  Log: 'log',
  Map: 'geojson topojson kml gpx',
  Notebook: 'ipynb',
  Program: 'apk appimage deb exe msi pkg rpm',
  Spreadsheet: 'xlsx xlsm xltx xltm xlsb xls ods fods dbf numbers',
  Table: 'csv tsv parquet arrow arrows feather ipc jsonl ndjson',
};

const kindNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(endsOfKinds).flatMap(([kind, ends]) => ends.split(' ').map((end) => [end, kind])),
);

/** What people call a file: `Calendar` for `days.ics`, otherwise the name of its type. */
export function kindOfFile(name: string, type: ProjectType): string {
  const end = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return kindNames[end] ?? fileTypeNames[type];
}
