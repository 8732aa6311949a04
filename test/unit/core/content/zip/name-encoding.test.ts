import { expect, test } from '@jest/globals';
import { undeclaredNames } from '../../../../../core/content/zip/name-encoding.ts';

const encodings = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of a text in an encoding that `TextDecoder` knows. */
function encode(text: string, encoding: string): Uint8Array {
  const bytesOf = encodings.get(encoding) ?? charactersOf(encoding);
  encodings.set(encoding, bytesOf);
  return Uint8Array.from(Array.from(text).flatMap((character) => bytesOf.get(character) ?? [0x3f]));
}

function charactersOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map<string, number[]>();
  for (let lead = 0xff; lead >= 0; lead -= 1) {
    for (let trail = 0xff; trail >= 0x40; trail -= 1) {
      const pair = decoder.decode(Uint8Array.of(lead, trail));
      if (pair.length === 1) bytesOf.set(pair, [lead, trail]);
    }
    const single = decoder.decode(Uint8Array.of(lead));
    if (single.length === 1 && single !== '\ufffd') bytesOf.set(single, [lead]);
  }
  return bytesOf;
}

function read(names: readonly Uint8Array[]): string[] {
  return names.map(undeclaredNames(names));
}

const folders: [encoding: string, names: string[]][] = [
  ['shift_jis', ['表紙.png', 'ソース.txt', '能力表.txt', '新しいフォルダー/日本語.html']],
  ['shift_jis', ['写真.png']],
  ['shift_jis', ['桜.jpg', 'ﾃｽﾄ.txt', 'はじめに.md', '見積書_2024年.xlsx']],
  ['euc-jp', ['会社案内.html', 'トップページ.html']],
  ['gbk', ['首页.html', '图片/logo.png', '新建文件夹/说明.txt', '目录.html']],
  ['gbk', ['图片/logo.png']],
  ['big5', ['首頁.html', '許功蓋.txt', '新增資料夾/測試.txt']],
  ['big5', ['說明.txt']],
  ['euc-kr', ['한글.txt', '사진.jpg', '새 폴더/안녕하세요.html']],
  ['euc-kr', ['문서/보고서.html']],
  ['ibm866', ['Привет.txt', 'Документы/Отчёт.html']],
  ['ibm866', ['щука.jpg']],
  ['windows-1251', ['главная.html', 'Новая папка/фото.jpg', 'Я.txt']],
  ['koi8-r', ['Привет.txt']],
  ['windows-1252', ['Présentation.html', 'été/garçon.jpg', 'à propos.html']],
  ['windows-1252', ['Größe.html', 'Übersicht.html']],
  ['windows-1252', ['informação.html', 'São Paulo.png']],
  ['windows-1250', ['příloha.pdf', 'obrázky/hřiště.png', 'Úvod stránky.html']],
  ['windows-1254', ['ağaç.jpg', 'İstanbul.jpg', 'çalışma.pdf']],
  ['windows-1253', ['Αρχική.html', 'εικόνες/φωτογραφία.jpg']],
  ['windows-1255', ['שלום.txt', 'דף הבית.html']],
  ['windows-1256', ['مرحبا.txt', 'الصفحة الرئيسية.html']],
  ['windows-874', ['รูปภาพ.jpg', 'หน้าแรก.html']],
];

test.each(folders)('names in %s: %j', (encoding, names) => {
  expect(read(names.map((name) => encode(name, encoding)))).toEqual(names);
});

const dosNames: [page: string, hex: string, name: string][] = [
  ['CP437', '8162 6572', 'über'],
  ['CP850', '43 6f 72 61 87 c6 6f', 'Coração'],
  ['CP852', '7a 64 6a a9 63 69 61', 'zdjęcia'],
  ['CP852', 'be a2 88 77', 'żółw'],
  ['CP737', '89 98 a2 9e a3 e2 a8 98', 'Καλημέρα'],
  ['CP862', '99 8c 85 8d', 'שלום'],
];

test.each(dosNames)('a name in %s: %s', (_, hex, name) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  expect(read([bytes])).toEqual([name]);
});

test.each([
  '½ cup.html',
  '©.png',
  '°C.txt',
  'µm.txt',
  'cafe\u0301.txt',
  'й.txt',
  'ñ.txt',
  '日.txt',
  '😀.png',
  'Ω.txt',
])('UTF-8 without its flag stays UTF-8: %s', (name) => {
  expect(read([Buffer.from(name)])).toEqual([name]);
});

test('names in UTF-8 stay so beside a name in another encoding, as a second program adds it', () => {
  const names = [Buffer.from('日本.txt'), encode('写真.png', 'shift_jis')];
  expect(read(names)).toEqual(['日本.txt', '写真.png']);
});

test('20,000 names take less than two seconds', () => {
  const names = Array.from({ length: 20_000 }, (_, at) => numbered(`写真${at}.png`));
  const begun = performance.now();
  read(names);
  expect(performance.now() - begun).toBeLessThan(2000);
});

test.each([
  ['17 names of 60,000 bytes', 17, () => Buffer.alloc(60_000, '\u00e1\u00b0\u0153', 'latin1')],
  ['4,000 names of rare letters in UTF-8', 4000, () => Buffer.from('ɐɑɒɓɔɕɖɗɘə'.repeat(50))],
])('%s take less than two seconds: the directory of a ZIP may have them', (_, count, name) => {
  const names = Array.from({ length: count }, name);
  const begun = process.cpuUsage();
  read(names);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1e6).toBeLessThan(2);
});

/** Two kanji of Shift JIS, then ASCII. */
function numbered(name: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(0x8e, 0xca, 0x90, 0x5e), Buffer.from(name.slice(2))]);
}
