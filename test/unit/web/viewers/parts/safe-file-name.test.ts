import { expect, test } from '@jest/globals';
import { safeFileName } from '../../../../../web/viewers/parts/safe-file-name.ts';

test.each([
  ['invoice.xml', 'invoice.xml'],
  ['Plan für Kai 7.pdf', 'Plan für Kai 7.pdf'],
  ['../../etc/.profile', 'profile'],
  ['C:\\Windows\\calc.exe', 'calc.exe'],
  ['gnp\u202Eexe.bat', 'gnpexe.bat'],
  ['a\r\nb\0.txt', 'ab.txt'],
  ['what?*"<x>|.txt', 'what____x__.txt'],
  ['tides. ', 'tides'],
  ['', 'unnamed'],
  ['/', 'unnamed'],
  [`${'x'.repeat(300)}.html`, `${'x'.repeat(115)}.html`],
])('%j is saved as %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});
