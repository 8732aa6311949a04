import { formatCount } from '../../pages/parts/format.ts';
import type { LeftOut } from '../upload/upload-state.ts';

/** A number of files in words. */
export function filesText(amount: number): string {
  return formatCount(amount, 'file');
}

/** Which files were left out, in words; empty if none were. Those in few folders are named first. */
export function leftOutText(leftOut: LeftOut | undefined): string {
  if (leftOut === undefined) return '';
  const { count, paths } = leftOut;
  const depth = (path: string) => path.split('/').length;
  const names = paths.toSorted((a, b) => depth(a) - depth(b)).slice(0, 3);
  const others = count > names.length ? ', …' : '';
  return `${filesText(count)} ${count === 1 ? 'was' : 'were'} left out: ${names.join(', ')}${others}`;
}

/** The time that is left, as a clock shows it: `1:02`. */
export function leftText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
