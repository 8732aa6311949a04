import type { ErrorCode } from '../../../contract/errors.ts';
import { CodedError } from '../../errors.ts';

const maxNameLength = 120;
const ellipsis = '…';

type RefusalCode = Extract<ErrorCode, 'ARCHIVE_INVALID' | 'FILE_TYPE_REFUSED'>;

/** A refusal of the whole archive: `The ZIP ${rule}.` */
export function archiveFault(rule: string): CodedError {
  return new CodedError('ARCHIVE_INVALID', { error: `The ZIP ${rule}.` });
}

/** A refusal of the whole archive for one entry: `The ZIP entry "name" ${rule}.` */
export function entryFault(
  name: string,
  rule: string,
  code: RefusalCode = 'ARCHIVE_INVALID',
): CodedError {
  return new CodedError(code, { error: `The ZIP entry "${quotableName(name)}" ${rule}.` });
}

/**
 * An entry name fit for a message: at most 120 characters, none of them invisible.
 *
 * Names come from strangers and end in terminals, logs and dashboards.
 */
function quotableName(name: string): string {
  const visible = name.slice(0, 4096).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '');
  if (visible.length <= maxNameLength) return visible;
  const cut = visible.slice(0, maxNameLength - ellipsis.length);
  return cut.replace(/\p{Cs}$/u, '') + ellipsis;
}
