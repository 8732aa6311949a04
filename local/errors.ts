/** A reason why the start failed that the user can fix; printed as one line, without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}

/** A refused call of a service. `code` is AWS's name of the error. */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Whether an error of the operating system has a code such as `EADDRINUSE`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return isRecord(error) && error['code'] === code;
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'cannot be used, because a part of this path is not a folder',
  EISDIR: 'is a folder, not a file',
  EEXIST: 'exists and is not a folder',
  EACCES: 'may not be used by you: check its permissions',
  EPERM: 'may not be used by you: check its permissions',
  EROFS: 'cannot be written: its disk is read-only',
  ENOSPC: 'cannot be written: its disk is full',
};

/** An error of the file system as a sentence that names the file; undefined for any other error. */
export function describeFileError(error: unknown): string | undefined {
  if (!isRecord(error) || typeof error['path'] !== 'string') return undefined;
  const problem = FILE_PROBLEMS[String(error['code'])];
  return problem === undefined ? undefined : `${error['path']} ${problem}.`;
}

/** Narrows to a plain JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value with every string in it, at any depth, replaced by what `change` returns. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]),
  );
}
