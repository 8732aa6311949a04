import type { ProjectType } from '../../../contract/fields.ts';

/** A folder with everything below it counted. */
export interface ListedFolder {
  name: string;
  files: number;
  bytes: number;
}

/** A file; `href` is relative to the page and percent-encoded. */
export interface ListedFile {
  name: string;
  href: string;
  bytes: number;
  type: ProjectType;
}
