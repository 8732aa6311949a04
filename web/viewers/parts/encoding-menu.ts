/** Encodings of texts and tables, by their names for `TextDecoder`, as people know them. */
const encodings: Readonly<Record<string, string>> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16)',
  'windows-1252': 'Western European',
  'windows-1250': 'Central European',
  'windows-1254': 'Turkish',
  'windows-1251': 'Cyrillic (Windows)',
  'koi8-u': 'Cyrillic (KOI8)',
  ibm866: 'Cyrillic (DOS)',
  'windows-1253': 'Greek',
  'windows-1255': 'Hebrew',
  'windows-1256': 'Arabic',
  'windows-874': 'Thai',
  gb18030: 'Simplified Chinese',
  big5: 'Traditional Chinese',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC)',
  'iso-2022-jp': 'Japanese (mail)',
  'euc-kr': 'Korean',
  macintosh: 'Western European (Mac)',
};

/** The encoding that somebody chose: it is in the address, so that a link to the page keeps it. */
export function chosenEncoding(hash: string): string | undefined {
  const name = /^#encoding=([\w-]+)$/.exec(hash)?.[1];
  return name !== undefined && Object.hasOwn(encodings, name) ? name : undefined;
}

/** A menu to read the file in another encoding, above it. */
export function addEncodingMenu(current: string): void {
  const label = document.createElement('label');
  const menu = document.createElement('select');
  for (const [name, words] of Object.entries(encodings)) {
    menu.add(new Option(words, name, name === current, name === current));
  }
  label.append('Characters ', menu);
  document.querySelector('.tools[data-controls]')?.append(label);
  menu.addEventListener('change', () => {
    location.hash = `encoding=${menu.value}`;
    location.reload();
  });
}
