import type { Project } from '../api/contract.ts';

/** The name of each type of project. */
export const typeNames: Record<Project['type'], string> = {
  html: 'Web page',
  zip: 'Site',
  files: 'Files',
  pdf: 'PDF',
  image: 'Image',
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

/** The name of each status. */
export const statusNames: Record<Project['status'], string> = {
  public: 'Live',
  private: 'Unpublished',
  uploading: 'Uploading',
  expired: 'Expired',
  archived: 'Archived',
};
