import { formatBytes, formatInstant } from '../../pages/parts/format.ts';
import type { Output } from '../api/contract.ts';
import { at, showArrived } from './panels.ts';
import { filesText } from './texts.ts';

type Receipt = Extract<Output<'publishByLink'>, { receipt: unknown }>['receipt'];

/** Shows what arrived by a file request: number, time and files, to print. */
export function showReceipt(receipt: Receipt, leftOut: string): void {
  const { number, receivedAt, files, fileCount, bytes } = receipt;
  at('receipt').textContent =
    `Receipt number ${number}, ${formatInstant(receivedAt)}. ${filesText(fileCount)}, ${formatBytes(bytes)}.`;
  const lines = files.map(({ path, size }) => {
    const name = document.createElement('bdi');
    name.textContent = path;
    return [name, `, ${formatBytes(size)}`];
  });
  if (fileCount > files.length) lines.push([`and ${fileCount - files.length} more`]);
  at('receipt-files').replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement('li');
      item.append(...line);
      return item;
    }),
  );
  at('print').addEventListener('click', () => print());
  showArrived(leftOut);
}
