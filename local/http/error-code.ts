import { isRecord } from '../assembly/json.ts';

/** Whether an error of the operating system has a code such as `EADDRINUSE`. */
export function hasCode(error: unknown, code: string): boolean {
  return isRecord(error) && error['code'] === code;
}
