import { decodeAs } from '../../core/content/guess-encoding.ts';
import { addEncodingMenu, chosenEncoding } from './parts/encoding-menu.ts';
import { fetchStart } from './parts/fetch-file.ts';
import { element, unhide } from './parts/viewer-root.ts';

/** As much of a text as its page shows. */
const mostBytes = 8 * 1024 * 1024;

const stage = element('[data-encoding]', HTMLElement);
const { encoding: current = '', source = '' } = stage.dataset;
const chosen = chosenEncoding(location.hash) ?? current;

/** The lines of code as another encoding reads them, without colours; line ends are the same in all of them. */
async function rereadLines(): Promise<void> {
  const { bytes } = await fetchStart(source, mostBytes);
  const lines = decodeAs(chosen, bytes).split(/\r\n?|\n/);
  for (const block of stage.querySelectorAll<HTMLElement>('[data-first]:not(:has(.line))')) {
    const first = Number(block.dataset['first']) - 1;
    const count = block.textContent.split('\n').length - 1;
    block.textContent = `${lines.slice(first, first + count).join('\n')}\n`;
  }
  for (const line of stage.querySelectorAll<HTMLElement>('.line')) {
    const number = Number(line.id.slice(1));
    line.replaceChildren(...line.querySelectorAll(':scope > a'), `${lines[number - 1] ?? ''}\n`);
  }
}

/** The words of a set text: its characters become bytes again, and these are read in the other encoding. */
function rereadWords(): void {
  const bytesOf = bytesByCharacter();
  const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue ?? '';
    const bytes = Array.from(text).flatMap((character) => bytesOf.get(character) ?? []);
    if (bytes.some((byte) => byte >= 0x80))
      node.nodeValue = decodeAs(chosen, new Uint8Array(bytes));
  }
}

/** What an encoding writes for each character, in one byte or two: browsers only decode. */
function bytesByCharacter(): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(current);
  const found = new Map<string, readonly number[]>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(new Uint8Array(bytes));
    if (Array.from(text).length === 1 && !found.has(text)) found.set(text, bytes);
  };
  for (let byte = 0; byte < 0x100; byte += 1) add(byte);
  for (let lead = 0x81; lead < 0xff; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail);
  return found;
}

unhide('.tools');
addEncodingMenu(chosen);
if (chosen !== current) {
  if (source === '') rereadWords();
  else await rereadLines();
}
