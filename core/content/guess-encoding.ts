/**
 * Which letters a text in an encoding has when it is read rightly: nearly all of them are among the frequent
 * letters of its languages. Read as another encoding, the same bytes give rare letters and signs within words.
 */
interface Candidate {
  /** As `TextDecoder` takes it. */
  encoding: string;
  frequent: string;
  /** All letters of its script; those that are not frequent count a little. */
  script: RegExp;
}

const simplified =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔称编号址话价格单额姓龄省县街港潮码';
const traditional =
  '這個們來為國說時會對著過發後裡種經學現當沒動還進樣開從實軍無與長機關點業將兩間問並應戰頭體見產話內給門兒東聲員論處義幾認條題爾別變總電數報結務場計資許統區隊決馬書則聽達強難權設記類據邊張該規萬覺術領確傳師觀讓識帶導爭運編號稱額址價頁';
const syllables =
  '이다는을의에가고하한은기지를도로사시어나자인대서리해아그라있정스수으일들부보만원주전구제과상장여였했게비조동소안개국선오신마치중경관공유세성우무화생며당및최모방법물업식계회년월미바내러금학진연호번명분단실결양운간트드면습니까요것와말할된될적름터레르카항조위';
const han = /\p{Script=Han}/u;
const cjkMarks = '、。，：；！？（）「」『』《》“”‘’・ー　％／－～【】〔〕…—';
const kana =
  'のにるたをはしとがてでいなれかさものらこうすりまあそよめんくけちわやえおつみせだっばどじスンルトリアイラーシックドタレジフマテサカコメロプデキバグオニナパムチブエ';
const western = 'éèàçäöüßñóáíúêâîôûëïœæøåãõÉÄÖÜÀÇÑØÅÆÊÁÓÍÚ';
const central = 'ąćęłńóśźżáčďéěíňřšťúůýžőűöüäôĺľŕăâîşţđŁŚŻŹČŠŽŘŐŰÁÉÍÓÚÝĄĆĘŃ';
const cyrillic = 'оеаинтсрвлкмдпуяыьгзбчйхжОПСНВКМТРДАБИ';
const latinScript = /\p{Script=Latin}/u;
const cyrillicScript = /\p{Script=Cyrillic}/u;

/** The likelier ones first: they win where nothing speaks for another. */
const candidates: readonly Candidate[] = [
  { encoding: 'windows-1252', frequent: western, script: latinScript },
  { encoding: 'gb18030', frequent: simplified + cjkMarks, script: han },
  { encoding: 'shift_jis', frequent: kana + simplified + traditional + cjkMarks, script: han },
  { encoding: 'euc-jp', frequent: kana + simplified + traditional + cjkMarks, script: han },
  { encoding: 'euc-kr', frequent: syllables + cjkMarks, script: /\p{Script=Hangul}/u },
  { encoding: 'big5', frequent: simplified + traditional + cjkMarks, script: han },
  { encoding: 'windows-1251', frequent: cyrillic, script: cyrillicScript },
  { encoding: 'koi8-r', frequent: cyrillic, script: cyrillicScript },
  { encoding: 'ibm866', frequent: cyrillic, script: cyrillicScript },
  { encoding: 'windows-1250', frequent: central, script: latinScript },
  { encoding: 'macintosh', frequent: western, script: latinScript },
  { encoding: 'windows-1254', frequent: 'ığşİçöüğĞŞÖÜÇâî', script: latinScript },
  {
    encoding: 'windows-1253',
    frequent: 'αοιετσνηυρπκμλςόάέίήώδγΑΕΤΟΠΚΣ',
    script: /\p{Script=Greek}/u,
  },
  { encoding: 'windows-1255', frequent: 'יוהלאתרבמנשדקםעפחטכסגןצ', script: /\p{Script=Hebrew}/u },
  { encoding: 'windows-1256', frequent: 'الينمرتوبعدسفةهأكقحجشط', script: /\p{Script=Arabic}/u },
  { encoding: 'windows-874', frequent: 'านรอกเงมยลวดทสตะปบคหแจพชขใไโ่้ัี็ิ์ึืุู', script: /\p{Script=Thai}/u },
];

/** This much of a text decides. */
const sampleBytes = 64 * 1024;

/**
 * The encoding of a text without a declaration, as a name that `TextDecoder` takes: by its byte order mark, as
 * UTF-16 where every second byte is zero, as UTF-8 where it is that but for a few bytes, otherwise the one
 * whose letters are the most plausible. Every answer decodes any bytes.
 */
export function guessEncoding(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return wide;
  if (utf8Mark.every((byte, at) => bytes[at] === byte)) return 'utf-8';
  const sample = bytes.subarray(0, sampleBytes);
  if (isNearlyUtf8(sample)) return 'utf-8';
  let best = { encoding: 'windows-1252', score: 0 };
  for (const candidate of candidates) {
    const score = scoreOf(candidate, sample);
    if (score > best.score + 0.02) best = { encoding: candidate.encoding, score };
  }
  return best.encoding;
}

/**
 * Decodes bytes; what is invalid becomes U+FFFD. In two steps: in one, Node 20 reads Windows-1252 as Latin 1.
 * @param cut whether the last character may be incomplete and is left out then
 */
export function decodeAs(encoding: string, bytes: Uint8Array, cut = false): string {
  const decoder = new TextDecoder(encoding);
  const text = decoder.decode(bytes, { stream: true });
  return cut ? text : text + decoder.decode();
}

const utf8Mark = [0xef, 0xbb, 0xbf];

/** UTF-16 has a mark, or, where most characters are Latin, a zero in every second byte. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, 1024);
  const even = start.filter((byte, at) => byte === 0 && at % 2 === 0).length;
  const odd = start.filter((byte, at) => byte === 0 && at % 2 === 1).length;
  if (even + odd <= start.length / 4) return undefined;
  if (even === 0) return 'utf-16le';
  return odd === 0 ? 'utf-16be' : undefined;
}

function isNearlyUtf8(sample: Uint8Array): boolean {
  const foreign = foreignIn(new TextDecoder('utf-8').decode(sample, { stream: true }));
  // The only byte beyond ASCII is the last one.
  if (foreign.length === 0) return sample.every((byte) => byte < 0x80);
  const broken = foreign.filter((character) => character === '\uFFFD').length;
  return broken <= (foreign.length - broken) / 10;
}

function foreignIn(text: string): string[] {
  // oxlint-disable-next-line no-control-regex -- ASCII starts with control characters
  return text.match(/[^\u0000-\u007F]/gu) ?? [];
}

/** The mean of what each letter beyond ASCII says: 1 for a frequent one, -1 for a sign within a word. */
function scoreOf({ encoding, frequent, script }: Candidate, sample: Uint8Array): number {
  const text = decodeWhole(encoding, sample);
  if (text === undefined) return -1;
  const letters = new Set(frequent);
  let sum = 0;
  let count = 0;
  let before = '';
  for (const character of text) {
    if (character > '\u007F') {
      count += 1;
      sum += scoreAfter(before, character, { letters, script });
    }
    before = character;
  }
  return count === 0 ? 0 : sum / count;
}

/** Decodes the sample; the last character may be cut off. A byte that means nothing speaks against an encoding. */
function decodeWhole(encoding: string, sample: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const text = decoder.decode(sample, { stream: true });
    return sample.length === sampleBytes ? text : text + decoder.decode();
  } catch {
    return undefined;
  }
}

const marks = /[“”„‘’«»–—…€£§©®°•·№¿¡\u00A0ºª™]/;
const isLatin = (character: string) => /\p{Script=Latin}/u.test(character);

function scoreAfter(
  before: string,
  character: string,
  { letters, script }: { letters: ReadonlySet<string>; script: RegExp },
): number {
  if (/\p{L}|\p{M}/u.test(character) && isOddAfter(before, character)) return -1;
  if (letters.has(character)) return 1;
  if (marks.test(character)) return /\p{L}/u.test(before) && character !== '’' ? 0 : 0.8;
  return script.test(character) ? 0.2 : -1;
}

/** No word has letters of two alphabets, capitals behind small letters, or a final letter of Hebrew in its middle. */
function isOddAfter(before: string, letter: string): boolean {
  if (/[a-z]/i.test(before) && !isLatin(letter)) return true;
  return (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(letter)) || /[םןףץך]/.test(before);
}
