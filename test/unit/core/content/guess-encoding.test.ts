import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeAs, guessEncoding } from '../../../../core/content/guess-encoding.ts';

/** The bytes of a text in an encoding that Node only reads: each character by the bytes that give it. */
function encode(text: string, encoding: string): Buffer {
  const bytesOf = encoder(encoding);
  return Buffer.concat(Array.from(text, (character) => bytesOf.get(character) ?? Buffer.from('?')));
}

const encoders = new Map<string, Map<string, Buffer>>();
function encoder(encoding: string): Map<string, Buffer> {
  const made = encoders.get(encoding) ?? makeEncoder(encoding);
  encoders.set(encoding, made);
  return made;
}

function makeEncoder(encoding: string): Map<string, Buffer> {
  const map = new Map<string, Buffer>();
  const add = (bytes: Buffer) => {
    const text = decodeAs(encoding, bytes);
    if (Array.from(text).length === 1 && text !== '\uFFFD' && !map.has(text)) map.set(text, bytes);
  };
  for (let first = 0; first < 256; first += 1) add(Buffer.of(first));
  if (!/^(?:windows|iso-8859|koi8|ibm|mac)/.test(encoding)) {
    for (let first = 0x81; first < 0xff; first += 1)
      for (let second = 0x40; second < 0xff; second += 1) add(Buffer.of(first, second));
  }
  return map;
}

/** Sentences and headings of tables as people write them. */
const texts: Record<string, string[]> = {
  gb18030: [
    '港口名称,数量,日期\n上海,120,2026年3月\n深圳,90,2026年4月\n',
    '这个文件是用记事本写的，没有任何标记。',
    '姓名;电话;地址\n张伟;1390000;北京市海淀区\n',
  ],
  big5: [
    '港口名稱,數量,日期\n高雄,120,2026年3月\n',
    '這個檔案是用記事本寫的，沒有任何標記。我們還是可以看。',
  ],
  'euc-kr': [
    '이름,전화번호,주소\n김민수,010,서울시 강남구\n',
    '안녕하세요. 이 파일은 메모장으로 만들었습니다.',
  ],
  shift_jis: [
    '港の名前,数,日付\n横浜港,120,3月\n',
    'これはメモ帳で書いたファイルです。',
    'テスト,あ',
  ],
  'euc-jp': ['これはメモ帳で書いたファイルです。', '港の名前,数,日付\n横浜の港,120,3月\n'],
  'windows-1251': [
    'Название;Количество;Дата\nСеверный причал;120;март\n',
    'Это обычный текст без всяких пометок.',
  ],
  'koi8-r': ['Это обычный текст без всяких пометок.', 'Название;Количество\nСеверный причал;120\n'],
  ibm866: ['Это обычный текст без всяких пометок.'],
  'windows-1250': [
    'Zażółć gęślą jaźń, a potem wróć do domu',
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    'Łódź;Kraków;Gdańsk',
  ],
  'windows-1252': [
    'café,naïve,Übermorgen',
    'Größe;Menge;Straße\nübergroß;3;Hauptstraße\n',
    'El niño comió “piña” – mañana',
    'Prix : 12 € l’unité',
  ],
  'iso-8859-2': [
    'Blízko našej záhrady šumí les, tichý a široký',
    'Naselje je že zelo staro, okoliš pa še lepši',
    'Už třicet let žije šťastně ve městě',
  ],
  'iso-8859-5': ['Это обычный текст без всяких пометок.'],
  'iso-8859-6': ['هذا نص بسيط بدون أي علامات في الملف'],
  macintosh: ['Größe;Menge;Straße\nübergroß;3;Hauptstraße\n', 'Le café était très bon, déjà'],
  'windows-1253': ['Αυτό είναι ένα απλό κείμενο χωρίς σήμανση'],
  'windows-1254': ['Şehir;Nüfus;İlçe\nİstanbul;15;Kadıköy\nIğdır ve çevresi güzeldir\n'],
  'windows-1255': ['זה טקסט פשוט בלי שום סימון'],
  'windows-1256': ['هذا نص بسيط بدون أي علامات في الملف'],
  'windows-874': ['นี่คือข้อความธรรมดาที่ไม่มีเครื่องหมายใดๆ'],
};

describe.each(Object.entries(texts))('text in %s', (encoding, samples) => {
  test.each(samples)('%j is read', (text) => {
    const bytes = encode(text, encoding);
    expect(decodeAs(guessEncoding(bytes), bytes)).toBe(text);
  });
});

test('any order of these sentences, between ASCII, is read as its encoding', () => {
  const ascii = fc.stringMatching(/^[a-z0-9 ,.\n]{0,20}$/);
  for (const [encoding, samples] of Object.entries(texts)) {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...samples), ascii), { minLength: 1, maxLength: 5 }),
        (parts) => {
          const text = parts.map(([sentence, between]) => `${sentence}\n${between}\n`).join('');
          const bytes = encode(text, encoding);
          expect(decodeAs(guessEncoding(bytes), bytes)).toBe(text);
        },
      ),
      { numRuns: 40 },
    );
  }
});

test('all UTF-8 is UTF-8, cut anywhere and with a few broken bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text);
      expect(guessEncoding(bytes)).toBe(text.startsWith('\0') ? expect.any(String) : 'utf-8');
      const many = Buffer.from(`${'Übersee '.repeat(20)}${text}`);
      expect(guessEncoding(many.subarray(0, 160 + (at % (many.length - 159))))).toBe('utf-8');
    }),
  );
  expect(guessEncoding(Buffer.from('\uFFFD '))).toBe('utf-8');
  const broken = Buffer.concat([
    Buffer.from('Übersee '.repeat(20)),
    Buffer.of(0xff),
    Buffer.from(' ü'),
  ]);
  expect(guessEncoding(broken)).toBe('utf-8');
});

test('text of seven bits with the characters of Japan, as in mails, is read', () => {
  const bytes = Buffer.from('Port: \x1b$B$3$s\x1b(B\n');
  expect(decodeAs(guessEncoding(bytes), bytes)).toBe('Port: こん\n');
});

test('letters that come late in one long line decide, and a few of very many', () => {
  const [sentence = ''] = texts['big5'] ?? [];
  const late = encode(`{"name":"${'x'.repeat(60_000)}","port":"${sentence.trim()}"}`, 'big5');
  expect(guessEncoding(late)).toBe('big5');
  const many = encode(sentence.repeat(2000), 'big5');
  const decode = jest.spyOn(TextDecoder.prototype, 'decode');
  expect(guessEncoding(many)).toBe('big5');
  const bytes = decode.mock.calls.reduce((sum, [sample]) => sum + (sample?.byteLength ?? 0), 0);
  decode.mockRestore();
  expect(bytes).toBeLessThan(64 * 1024 + 22 * 4096);
});

test('a byte order mark decides, also where nothing else is beyond ASCII', () => {
  const bytes = Buffer.from('\uFEFFport;tons\n');
  expect(guessEncoding(bytes)).toBe('utf-8');
  expect(decodeAs('utf-8', bytes)).toBe('port;tons\n');
});
