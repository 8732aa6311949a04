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
