import { Version } from '../../../core/projects/version.ts';
import { rowParser } from '../null-fields.ts';

/** Parses a version's row. */
export const parseVersionRow = rowParser(Version);
