import { fetchFile, ViewerError } from './parts/fetch-file.ts';
import { runViewer, type ViewerRoot } from './parts/viewer-root.ts';

const maxBytes = 30 * 1024 * 1024;
/** Characters of one script that are shown. */
const mostCharacters = 500;
/** CSS pixels. */
const sizes = [14, 18, 24, 36, 48, 72] as const;

/** The name of the font on its page; the styles of the page know it. */
const family = 'Specimen';

/** Scripts in the order of their samples: the first and last character of each range (Unicode, Blocks.txt). */
const scripts: readonly (readonly [name: string, sample: string, ...ranges: string[]])[] = [
  ['Latin', 'The quick brown fox jumps over the lazy dog', 'AZ', 'az', 'Àſ'],
  ['Cyrillic', 'Съешь ещё этих мягких французских булок, да выпей чаю', 'Ѐџ'],
  ['Greek', 'Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία', 'Άώ'],
  ['Hebrew', 'דג סקרן שט בים מאוכזב ולפתע מצא חברה', 'את'],
  ['Arabic', 'نص حكيم له سر قاطع وذو شأن عظيم', 'ءي'],
  ['Devanagari', 'ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश', 'अह'],
  ['Thai', 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า', 'กฮ'],
  ['Kana', 'いろはにほへと ちりぬるを', 'ぁん', 'ァヺ'],
  ['Hangul', '키스의 고유조건은 입술끼리 만나야 하고', '가갿'],
  ['Han', '天地玄黃 宇宙洪荒', '一丟'],
  ['Digits and signs', '0123456789 !?&@#%', '!@', '[`', '{~', '¡¿', '‐⁞', '₠₿'],
  ['Symbols', '← ↑ → ↓ ★ ☀ ♥ ✓', '←⇿', '∀⋿', '■⛿', '✀➿'],
  ['Icons', '', '\u{E000}\u{F8FF}'],
];

async function showFont({ source, stage }: ViewerRoot): Promise<void> {
  const bytes = await fetchFile(source, maxBytes);
  const font = new FontFace(family, bytes.buffer);
  await font.load().catch(() => {
    throw new ViewerError('The file is damaged, or it is no font that browsers know.');
  });
  document.fonts.add(font);
  const isInFont = characterTest();
  const found = scripts
    .map(([name, sample, ...ranges]) => ({ name, sample, characters: inRanges(ranges, isInFont) }))
    .filter(({ characters }) => characters.length > 0);
  if (found.length === 0) throw new ViewerError('The font has no characters that this page knows.');
  // A font of icons may have a few letters, and the others would come from another font.
  const isShown = (sample: string) =>
    Array.from(sample).filter((character) => character !== ' ' && isInFont(character)).length >
    sample.length / 2;
  const sample = found.find(({ sample }) => isShown(sample))?.sample ?? '';
  stage.append(
    ...(sample === '' ? [] : [tryField(sample), samples(sample)]),
    ...found.map(({ name, characters }) => characterList(name, characters)),
  );
}

/** No font has this character: browsers draw the first font's sign for a missing one. */
const nowhere = '\u{FFFF}';

/**
 * Whether a character is in the font: with the font, it is wider or narrower than in one of two others, and it
 * is not the sign for a missing one.
 */
function characterTest(): (character: string) => boolean {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [32, 32];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return () => true;
  const widthIn = (fonts: string, character: string) => {
    context.font = `20px ${fonts}`;
    return context.measureText(character).width;
  };
  const pictureOf = (character: string) => {
    context.font = `20px ${family}`;
    context.clearRect(0, 0, 32, 32);
    context.fillText(character, 4, 24);
    return context.getImageData(0, 0, 32, 32).data;
  };
  const missingWidth = widthIn(family, nowhere);
  const missing = pictureOf(nowhere);
  const isMissing = (character: string) =>
    widthIn(family, character) === missingWidth &&
    pictureOf(character).every((value, at) => value === missing[at]);
  const isEmpty = (character: string) => pictureOf(character).every((value) => value === 0);
  return (character) =>
    ['monospace', 'serif'].some(
      (other) => widthIn(`${family}, ${other}`, character) !== widthIn(other, character),
    ) &&
    !isMissing(character) &&
    !isEmpty(character);
}

function inRanges(ranges: readonly string[], isInFont: (character: string) => boolean): string[] {
  const found: string[] = [];
  for (const range of ranges) {
    const [first, last] = [range.charCodeAt(0), range.charCodeAt(1)];
    for (let code = first; code <= last && found.length < mostCharacters; code += 1) {
      const character = String.fromCodePoint(code);
      if (isInFont(character)) found.push(character);
    }
  }
  return found;
}

function tryField(sample: string): HTMLElement {
  const label = made('label', 'Try it');
  const field = document.createElement('textarea');
  field.className = 'in-font';
  field.rows = 2;
  field.dir = 'auto';
  field.value = sample;
  label.append(field);
  return label;
}

function samples(sample: string): HTMLElement {
  const section = made('section', '');
  for (const size of sizes) {
    const line = made('p', sample, 'in-font');
    line.dir = 'auto';
    line.style.fontSize = `${size}px`;
    section.append(made('p', `${size} px`, 'hint'), line);
  }
  return section;
}

function characterList(name: string, characters: readonly string[]): HTMLElement {
  const section = made('section', '');
  const list = made('ul', '', 'in-font');
  for (const character of characters) {
    const item = made('li', character);
    item.title = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
    list.append(item);
  }
  const isCut = characters.length === mostCharacters;
  section.append(made('h2', name), list);
  if (isCut) section.append(made('p', `Only the first ${mostCharacters} are shown.`, 'hint'));
  return section;
}

function made(name: string, text: string, className = ''): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = className;
  return element;
}

// Last, because it runs immediately.
await runViewer(showFont);
