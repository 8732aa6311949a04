import { sentBytes } from '../sent-bytes.ts';

/**
 * A function's response is limited to 6 MB (AWS Lambda quotas). The difference is for the fields
 * around the projects.
 */
const maxPageBytes = 5.5 * 1024 * 1024;

/** The remaining space of one export page. */
export interface PageBudget {
  isFull(): boolean;
  /** Adds a part to the page; false if it does not fit. */
  add(part: object): boolean;
  /** Adds a file, which counts towards `maxFiles`. */
  addFile(file: object): boolean;
}

/**
 * Space for `maxFiles` files and for the bytes of one response, until `isLate`. The first file always
 * fits.
 */
export function pageBudget(
  maxFiles: number,
  {
    maxBytes = maxPageBytes,
    isLate = () => false,
  }: { maxBytes?: number; isLate?: () => boolean } = {},
): PageBudget {
  let files = 0;
  let bytes = 0;
  const add = (part: object) => {
    const size = sentBytes(part);
    if (files > 0 && bytes + size > maxBytes) return false;
    bytes += size;
    return true;
  };
  return {
    isFull: () => files >= maxFiles || (files > 0 && (bytes >= maxBytes || isLate())),
    add,
    addFile(file) {
      if (files >= maxFiles || !add(file)) return false;
      files += 1;
      return true;
    },
  };
}
